"""Stop words by language, and choosing the content words of a text."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MIN_STOP_WORDS = 2
"""The number of stop words from which on a text may be in another language than expected."""

_ENGLISH = """
a about above after again against all almost also although always am among an and another any are aren't as at away
back be became because become been before being below between both but by came can can't cannot come could couldn't
did didn't do does doesn't doing don't done down during each either else enough even ever every few first for from
further gave get gets getting give given go goes going gone got had hadn't has hasn't have haven't having he he'd
he'll he's her here hers herself him himself his how however i i'd i'll i'm i've if in into is isn't it it's its
itself just keep kept know last least less let like little long look made make makes many may me might more most much
must my myself near need neither never next no none nor not nothing now of off often oh on once one only or other
others our ours ourselves out over own perhaps please put quite rather really said same saw say says see seem seemed
seen several shall she she'd she'll she's should shouldn't since so some something still such take taken tell than
that that's the their theirs them themselves then there there's these they they'd they'll they're they've thing things
think this those though three through thus till to together told too took toward towards two under until up upon us
use used using very want was wasn't way we we'd we'll we're we've well went were weren't what what's whatever when
where whether which while who whole whom whose why will with within without won't would wouldn't yes yet you you'd
you'll you're you've your yours yourself
ain't aye doth hast hath let's mustn't nay needn't shalt shan't tha tha'd tha'll tha'lt tha'rt tha's tha've
that'll thee thine thou thy unto
"""
_HOMOGRAPHS = """
ale alt ben bile bin con dal dan den des die dig din door end era god ham han hans hat hay hem jen kim las les los man
mas med men mer met min mit mod mon nun ole par pas per plus pod pour pro proto sans sea sedan sin sit son sur tam tan
ten til tom ton vain van war wat wit
"""
ENGLISH_HOMOGRAPHS = frozenset(_HOMOGRAPHS.split())
"""Stop words of other languages that are words or names in English too: "sea" in Spanish, "war" in German."""

_GERMAN = """
ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis bist da dabei
damit dann das dass daß dein dem den denn der des dessen die dies diese diesem diesen dieser dieses doch dort du durch
ein eine einem einen einer eines einmal er es etwas euch euer für gegen gewesen hab habe haben hat hatte hatten hier
hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jener
jetzt kann kein keine keinem keinen keiner können könnte machen man manche mehr mein meine meinem meinen meiner mich
mir mit muss musste nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit selbst
sich sie sind so solche soll sollte sondern sonst über um und uns unser unter viel vom von vor war waren warst was weg
weil weiter welche wenn wer werde werden wie wieder will wir wird wirst wo wollen wollte würde würden zu zum zur
zwar zwischen
beide beiden bereits bevor bitte dadurch dafür dagegen daher damals danach danke daran darauf daraus darf darin davon
dazu denen deren deshalb dich dir eben einige einigen erst etwa ganz geht gibt ging hast ihres immer jedoch jemand kam
kommt lassen lässt macht machte mag mal müssen nachdem niemand obwohl sagt sagte sogar sollten sowie sowohl vielleicht
wegen wobei wohl worden wurde wurden während
"""
_FRENCH = """
à au aux avec ce ces cette c'est dans de des du d'un d'une elle elles en est et eux il ils je la le les leur leurs lui
ma mais me même mes moi mon ne nos notre nous on ont ou où par pas plus pour qu que qui sa sans se ses si son sont sur
ta te tes toi ton tu un une vos votre vous été être était avait
"""
_SPANISH = """
al algo como con cuando del desde donde el ella ellos entre era eran es esa ese eso esta este esto están fue ha hasta
hay las lo los más mi mucho muy no nos o para pero poco por porque qué quien se sea ser sin sobre su sus también tanto
te tiene todo todos tu un una uno y ya
"""
_ITALIAN = """
agli ai alla alle allo anche che chi ci coi col come cui dai dal dalla dalle degli dei del della delle dello di e è
era gli ha hanno ho i il io loro lui nei nel nella nelle noi non o per perché più quale quando quella quello questa
questo sei si sono suo sua sul sulla tra un una uno voi
"""
_PORTUGUESE = """
ao aos as até com da das dela dele do dos ela ele eles em essa esse está eu foi isso isto já lhe mais mas meu minha
muito na não nas nem no nos nós o os ou para pela pelo por quando que quem são se sem ser seu sua também te tem um uma
você
"""
_DUTCH = """
aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen haar had
heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet
na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor want
waren was wat werd wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou
"""

_POLISH = """
a aby ale ani az aż bardzo bez bo by być był była było były ci co coś czy czyli dla do gdy gdzie go i ich ile im inne
ja jak jako je jego jej jest jestem jeszcze jeśli już każdy kiedy kto która które którego której który których którym
którzy lub ma mają mi mnie może można mu my na nad nam nas nasz nawet nic nich nie nim niż o od ona one oni ono oraz
po pod przed przez przy również są się tak także tam te tego tej temu ten też to tu ty tych tylko tym u w we więc
wszystko z za ze że żeby
"""
_SWEDISH = """
alla allt att av blev bli blir både de dem den denna deras dess dessa det detta dig din ditt du där då efter ej eller
en er ett fick från får för ha hade han har hans hela henne hennes hon honom hur här i icke ingen inte inom ju jag kan
kom kunde man med mellan men mer mig min mitt mot mycket måste ni nu när något några och också om oss på samma sedan
sig sin sina sitt ska skall skulle som så sådan till under upp ut utan vad var vara varför varit vars vem vi vid vilken
vilka vill är även över
"""
_DANISH = """
af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din disse du efter ej eller en end
er et for fordi fra få før gennem god ham han hans har havde have hende hendes her hos hun hvad hvem hver hvilken hvis
hvor hvordan hvornår i igen ikke ind ingen intet jeg jer kan kom kommer kun kunne lige man mange med meget mellem men
mig min mit mod må ned noget nogle nu når og også om op os over på samme selv sig sin sit skal skulle som sådan til
ud under var ved vi vil ville være været
"""
_FINNISH = """
ei eivät emme en et ette eli ennen että hän häneen hänelle hänen hänet häntä he heidän heitä itse ja jo jos jossa jota
jotka joka joita joiden jonka kanssa keitä ketkä koska koskaan kuin kuinka kuitenkin kun lisäksi me meidän mikä miksi
mikään minkä minun minut minä missä mitä mitään mukaan mutta myös ne niiden niin niistä niitä noin nyt näin nämä ole
olen oli olisi olivat olla olleet ollut on ovat pitää se sekä sen siellä siihen siinä siis sille sinun sinä sitä sitten
tai te teidän tuo tämä tämän tässä tästä tätä vaan vai vaikka vain voi voidaan yli
"""
_CZECH = """
aby ale ani ano asi až bez bude budou by byl byla byli bylo být co což do ho i jak jako je jeho jej její jejich jen
jenž ještě ji jiné již jsem jsi jsme jsou k kde kdo když ke která které kteří který má mají mezi mi mně mu může my na
nad nám nás naše nebo není než nic o od on ona oni ono pak po pod podle pro proti proto protože před při s se si
své svůj ta tak také tak tam tato te tedy ten tento této ti to tohoto tom tomto tu tuto ty tyto u už v ve však
všech vše vy z za ze že
"""
_TURKISH = """
acaba ama ancak aslında az bana bazı belki ben benim beri bile bir biraz birkaç biz bizim böyle bu buna bunda bundan
bunlar bunu bunun çok çünkü da daha de değil diye dolayı en fakat gibi göre hem henüz hep hepsi her hiç ile ise için
kadar kendi ki kim mı mi mu mü nasıl ne neden nerede o olan olarak oldu olduğu olması olur ona onlar onu onun
oysa öyle pek sadece sanki sen senin siz sizin şey şu tarafından tüm üzere var ve veya ya yani yine yok zaten
"""
_RUSSIAN = """
а без более бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже для до его ее ей ему
если есть ещё еще её же за здесь и из или им их к как какая какой ко когда которая которого которой которые который
которых кто ли либо между меня мне много может можно мой мы на над надо нас наш не него нее неё нет ни них ничего но
ну о об однако он она они оно от очень по под после потому почти при про с сам свой своих себя со так также такой там
те тем то тоже того той только том тот тут ты у уже хотя чего чем через что чтобы чья эта эти это этого этой этом этот
я
"""
_UKRAINIAN = """
а або але без би був була були було бути в вам вас вже ви від він вона вони воно все всі всього втім да де для до дуже
ж за з зі і із інших її їй їм їх його йому коли ким ми мене мені між може на над нам нас не нею ні них ніж ну о один
однак по під після при про саме свої своє себе сі та так також такий там те ти тим тільки то того той тому тут у
усі хоча хто це цей ця ці цього цієї цьому через чи чим що щоб щось я як яка який яких якого якої які якщо є ще
"""

_DIALOGUE = """
answered asked begged cried demanded enquired exclaimed inquired interrupted murmured muttered quoth rejoined remarked
repeated replied responded retorted shouted whispered
ma'am madam mister sir
antwortete entgegnete erwiderte flüsterte fragte murmelte rief sprach versetzte
ajouta cria demanda dit murmura répliqua répondit s'écria madame mademoiselle monsieur
añadió contestó dijo exclamó gritó preguntó replicó respondió señor señora
chiese disse domandò esclamò replicò rispose soggiunse signor signora
disse exclamou perguntou replicou respondeu senhor senhora
antwoordde hernam riep vroeg zei zeide mevrouw mijnheer
odparł odpowiedział odrzekł rzekł spytał zapytał zawołał
frågade ropade sade svarade svarede råbte sagde spurgte kysyi sanoi vastasi huusi
odpověděl řekl vykřikl zeptal dedi sordu
воскликнул ответил отвечал сказал сказала спросил спросила відповів запитав сказав сказала
"""

_STOP_WORDS = {
    language: frozenset(words.split())
    for language, words in (
        ("en", _ENGLISH),
        ("de", _GERMAN),
        ("fr", _FRENCH),
        ("es", _SPANISH),
        ("it", _ITALIAN),
        ("pt", _PORTUGUESE),
        ("nl", _DUTCH),
        ("pl", _POLISH),
        ("sv", _SWEDISH),
        ("da", _DANISH),
        ("fi", _FINNISH),
        ("cs", _CZECH),
        ("tr", _TURKISH),
        ("ru", _RUSSIAN),
        ("uk", _UKRAINIAN),
    )
}
STOP_WORDS: frozenset[str] = frozenset().union(*_STOP_WORDS.values())
"""Of all languages together, in lower case and with straight apostrophes."""

DIALOGUE_WORDS = frozenset(_DIALOGUE.split())
"""Words that report speech or address somebody, likewise: they say that people talk, not about what."""

_APOSTROPHE = str.maketrans("’", "'")


@cache
def _languages_by_stop_word() -> dict[str, tuple[str, ...]]:
    """Return the languages that have each stop word."""
    return {word: tuple(code for code, words in _STOP_WORDS.items() if word in words) for word in STOP_WORDS}


def stop_words_of(languages: Iterable[str]) -> frozenset[str]:
    """Return the stop words of languages by their two letters, in lower case and with straight apostrophes."""
    return frozenset().union(*(_STOP_WORDS.get(code, frozenset()) for code in languages))


def count_stop_words(words: Iterable[str]) -> Counter[str]:
    """Count by language how many of the words, in lower case and with straight apostrophes, are its stop words."""
    known = _languages_by_stop_word()
    return Counter(code for word in words for code in known.get(word, ()))


def find_stop_words(words: Iterable[str], language: str = "en") -> frozenset[str]:
    """Return the stop words in a text: those of its own language, because in another one they may be content words.

    "war", "sea" and "die" are stop words of German and Spanish, but may be the subject of an English text.

    Args:
        words: the text's, in lower case and with straight apostrophes.
        language: of its document, by two letters. The text is taken to be in another one if it has at least two stop
            words of that, and more than twice as many as of this.

    Returns:
        Nothing for a language without a known list.
    """
    counts = count_stop_words(words)
    # On a tie the first in the table: a dictionary keeps its order, and `max` returns the first.
    most = max(_STOP_WORDS, key=counts.__getitem__)
    if counts[most] >= _MIN_STOP_WORDS and counts[most] > 2 * counts[language]:
        language = most
    return _STOP_WORDS.get(language, frozenset())


def content_words(words: Sequence[str]) -> list[str]:
    """Return a text's content words, each once, in order; all words if there are no content words.

    A stop word of one language is a content word in another ("war", "sea", "man"): the stop words of English are left
    out, or those of the language that has more of the text's words, and at least two.
    """
    distinct = list(dict.fromkeys(words))
    plain = [word.casefold().translate(_APOSTROPHE) for word in distinct]
    counts = {code: sum(word in language for word in plain) for code, language in _STOP_WORDS.items()}
    most = max(counts, key=counts.__getitem__)
    nothing = _STOP_WORDS[most if counts[most] >= _MIN_STOP_WORDS else "en"]
    return [word for word, small in zip(distinct, plain, strict=True) if small not in nothing] or distinct
