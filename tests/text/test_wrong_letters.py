"""Text of fonts that do not say which letters they show, and text that only looks like it."""

from __future__ import annotations

import pytest

from desktop_app.text.wrong_letters import has_wrong_letters

ENGLISH = (
    "The harbour was quiet in the morning and the boats lay close to the wall. Nobody had come down yet to look at "
    "them, and the tide was still far out. A dog ran along the sand and barked at the gulls above it. "
)
GERMAN = (
    "Der Hafen war am Morgen noch still und die Boote lagen nahe an der Mauer. Niemand war bisher gekommen, um nach "
    "ihnen zu sehen, und das Wasser stand noch weit draußen. Ein Hund lief über den Sand und bellte die Möwen an. "
)


def shift(text: str, step: int) -> str:
    return "".join(char if char == " " else chr((ord(char) + step) % 256) for char in text)


def substitute(text: str) -> str:
    """Replace each letter by another one, in no order."""
    return text.lower().translate(str.maketrans("abcdefghijklmnopqrstuvwxyz", "qzrtbwxhkgcpmndvfsjlyeoaui"))


@pytest.mark.parametrize("text", [ENGLISH, GERMAN])
@pytest.mark.parametrize("step", [1, -1, -4, 29, -29, -31, 60])
def test_moved_letters_are_noticed(text: str, step: int) -> None:
    assert has_wrong_letters(shift(text, step))


@pytest.mark.parametrize("step", [0x170, 0x1A0, 0x1B0, 0x1D0])
def test_letters_of_rare_scripts_are_noticed(step: int) -> None:
    assert has_wrong_letters("".join(char if char == " " else chr(ord(char) + step) for char in ENGLISH))


@pytest.mark.parametrize("text", ["ǡǼǱǺ ǓǯǯǱǿǿ", "´¿¢Ã°£¢ ¿ðº˜ ´’«¢¬", "ϧଋǥǡ Ϩҡଋƿ ǥҨω̃ȥ ဎಱ̽ೌ ϭƹ̽ୡȥ ̿ଋҨǥ ƺଋҨ ϭ̽ଋ"])
def test_letters_of_several_scripts_in_a_word_are_noticed(text: str) -> None:
    assert has_wrong_letters(text)


def test_words_without_vowels_are_noticed() -> None:
    assert has_wrong_letters(substitute(ENGLISH + " Many fishermen carried heavy baskets towards another village."))


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH,
        GERMAN,
        ENGLISH.upper(),
        "A tenger reggel még csendes volt, a hajók közel álltak a falhoz, és senki nem jött le még megnézni őket.",
        "Luka je ujutro bila mirna, a brodovi su ležali blizu zida; nitko još nije došao pogledati ih na obali.",
        "Biển buổi sáng rất yên tĩnh và những chiếc thuyền nằm sát bức tường, chưa có ai xuống xem chúng cả.",
        "Pelabuhan itu tenang pada pagi hari dan kapal-kapal berada dekat tembok, belum seorang pun turun melihatnya.",
        "Dimineața portul era liniștit și bărcile stăteau aproape de zid; nimeni nu coborâse încă să le vadă.",
        "Vlk zmrzl, zhltl hrst zrn. Prst skrz krk! Strč prst skrz krk, smrž pln skvrn zvlhl z mlh, chrt pln skvrn.",
        "Море утром было тихим, и лодки стояли у стены. Файл README.txt описывает API и формат PDF подробно.",
        "使用Python进行数据分析时，可以用pandas读取CSV文件，然后用matplotlib画图。这样的程序很常见，也很方便。",
        "Ισχύει ότι ΔE = hν και λ = c/ν, όπου c η ταχύτητα του φωτός και h η σταθερά του Planck στο κενό.",
        "for (size_t i = 0; i < n; ++i) { buf[i] = strtol(ptr, &end, 16); if (end == ptr) return -EINVAL; } /* ok */",
        "4f 6e 6c 79 20 74 68 65 20 68 61 72 62 6f 75 72 0a 00 ff fe 12 9c e3 77 1b 40 d2 85 6a c1 3f 08 99 ab",
        "AX-1203 7/16 12.50 EUR | BX-1204 1/2 13.75 EUR | CX-1310 5/8 15.20 EUR | DX-4410 3/4 19.95 EUR",
        "Preis: 12 € ± 5 %, Winkel 45° ½ × ¾ · §§ 12, 14 © ® µm² £7 ¥9 – «so» „wie“ ‚hier‘ ¿qué? ¡sí! × ÷ ± ¶ §",
        "ˈhɑːbər kwaɪət ˈmɔːnɪŋ boʊts kloʊs, as the dictionary writes the sounds of the words of this short text here",
        "",
        "Qty",
    ],
)
def test_text_of_other_kinds_is_left_alone(text: str) -> None:
    assert not has_wrong_letters(text)
