"""Languages guessed from scripts and function words."""

from __future__ import annotations

import pytest

from desktop_app.core.language_detection import (
    LANGUAGE_NAMES,
    count_distinct_function_words,
    count_function_words,
    guess_language,
    guess_script_language,
    language_code,
    language_name,
)

SENTENCES = {
    "en": "The tide comes in twice a day, and the boats are lifted by it from the mud.",
    "de": "Die Flut kommt zweimal am Tag, und die Boote werden von ihr aus dem Schlick gehoben.",
    "fr": "La marée monte deux fois par jour, et les bateaux sont soulevés de la vase par elle.",
    "es": "La marea sube dos veces al día y los barcos se levantan del barro por el agua.",
    "it": "La marea sale due volte al giorno e le barche sono sollevate dal fango con una spinta.",
    "pt": "A maré sobe duas vezes por dia e os barcos são levantados da lama com uma força.",
    "nl": "Het getij komt twee keer per dag op en de boten worden door het water uit de modder getild.",
    "pl": "Przypływ przychodzi dwa razy dziennie i nie jest to dla łodzi na błocie żaden kłopot.",
    "sv": "Tidvattnet kommer två gånger om dagen och båtarna lyfts av det från leran som en fjäder.",
    "da": "Tidevandet kommer to gange om dagen, og bådene er ikke længere på bunden af havnen.",
    "fi": "Vuorovesi nousee kaksi kertaa päivässä, ja veneet ovat silloin vedessä niin kuin ennen.",
    "cs": "Příliv přichází dvakrát za den a lodě se na něm zvednou z bahna, což je pro ně dobré.",
    "tr": "Gelgit günde iki kez olur ve tekneler bu su ile çok kolay kalkar, ama her zaman değil.",
    "ja": "潮は一日に二度満ちて、船を泥から持ち上げます。",
    "ko": "조수는 하루에 두 번 들어와 배를 들어 올린다.",
    "zh": "潮水每天来两次,把船从泥里抬起来。",
    "ar": "يأتي المد مرتين في اليوم ويرفع القوارب من الطين.",
    "he": "הגאות באה פעמיים ביום ומרימה את הסירות מן הבוץ.",
    "hi": "ज्वार दिन में दो बार आता है और नावों को कीचड़ से उठाता है।",
    "th": "น้ำขึ้นวันละสองครั้งและยกเรือขึ้นจากโคลน",
    "el": "Η παλίρροια έρχεται δύο φορές την ημέρα και σηκώνει τις βάρκες από τη λάσπη.",
    "ru": "Прилив приходит два раза в день и поднимает лодки из грязи.",
    "uk": "Приплив приходить двічі на день і піднімає човни з мулу.",
}


def test_every_language_has_a_sentence_here() -> None:
    assert SENTENCES.keys() == LANGUAGE_NAMES.keys()


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_a_sentence_tells_its_language(language: str) -> None:
    assert guess_language(SENTENCES[language]) == language


@pytest.mark.parametrize("text", ["", "1234 56", "Xylophon", "Donaudampfschifffahrt Kapitän"])
def test_without_evidence_it_is_english(text: str) -> None:
    assert guess_language(text) == "en"


def test_a_foreign_name_in_an_english_sentence_changes_nothing() -> None:
    assert guess_language("The inscription says 日本 in two letters, which the guide read to us at the gate.") == "en"
    assert (
        guess_language("The word \N{GREEK SMALL LETTER PI} stands for the ratio that the class had to compute.") == "en"
    )


def test_a_script_of_one_language_tells_it_at_once() -> None:
    assert guess_script_language("潮") == "zh"
    assert guess_script_language("де їжак") == "uk"
    assert guess_script_language("die Flut kommt nicht") == guess_script_language("") == ""


@pytest.mark.parametrize(
    ("name", "code"),
    [("de", "de"), ("pt-BR", "pt"), ("EN_us", "en"), (" German ", "de"), ("français", "fr"), ("Klingon", ""), ("", "")],
)
def test_languages_are_known_by_code_locale_and_name(name: str, code: str) -> None:
    assert language_code(name) == code


def test_an_unknown_language_is_called_by_its_code() -> None:
    assert str(language_name("de")) == "German"
    assert str(language_name("xx")) == "xx"


def test_function_words_are_those_of_the_language_with_most() -> None:
    counted = count_function_words(["The", "sea", "and", "the", "der", "and", "ist"])
    assert (counted["the"], counted["and"], counted["ist"], counted["sea"]) == (2, 2, 0, 0)
    assert count_distinct_function_words(["the", "the", "der", "sea"]) == 2
