"""Words of opposite meaning: "rose" in one sentence where the other says "fell".

An encoder puts such sentences close together, because opposites occur in the same company. The words are listed, not
learned: a row has two sides, and two sentences differ if one has words of only one side, and the other of only the
other side. Words that are opposites in some senses only ("up" and "down", "over" and "under") are left out.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_ENGLISH = """
rise! rose risen increase! grow! grew grown growth climb! soar! surge!
    | fall! fell fallen decrease! decline! drop! sink! sank sunk shrink! shrank plunge! diminish! dwindle! reduce!
    reduction reductions
more | less fewer
at_most maximum | at_least minimum
high higher highest | low lower lowest
above | below
before earlier | after later
early | late
begin! began begun start! commence! | end! finish! stop! cease!
win! won winner winners | lose! lost loser losers
buy! bought buyer buyers purchase! purchaser | sell! sold seller sellers vendor
accept! acceptance approve! approval | reject! rejection refuse! refusal deny! denial
allow! permit! permission lawful legal legally | forbid! forbade forbidden prohibit! prohibition ban! unlawful illegal
    illegally
must shall | may
include! | exclude! exclusion
positive positively | negative negatively
true | false
correct correctly right | incorrect incorrectly wrong wrongly
north northern | south southern
east eastern | west western
hot hotter hottest warm warmer warmest | cold colder coldest cool cooler coolest
cheap cheaper cheapest | expensive
strong stronger strongest strongly | weak weaker weakest weakly
large larger largest big bigger biggest | small smaller smallest
long longer longest | short shorter shortest
fast faster fastest quick quicker quickly | slow slower slowest slowly
old older oldest | new newer newest young younger youngest
good better best | bad worse worst badly
safe safely | dangerous unsafe
open! | close! shut
arrive! arrival | depart! departure
import! importer importers | export! exporter exporters
internal | external
inside indoors indoor | outside outdoors outdoor
domestic | foreign
public publicly | private privately
upper | lower
always often frequently | rarely seldom
love! | hate! dislike!
succeed! success successful successfully pass! | fail! failure unsuccessful unsuccessfully
plaintiff plaintiffs claimant claimants | defendant defendants
landlord landlords lessor | tenant tenants lessee
lender lenders creditor creditors | borrower borrowers debtor debtors
employer employers | employee employees
licensor | licensee
profit profits surplus | loss losses deficit
debit! | credit!
supply | demand
improve! improvement | worsen! deteriorate! deterioration
strengthen! | weaken!
cause! | prevent! prevention
support! favour! favor! | oppose! opposition against
first | last
easy easier easily simple | difficult hard harder
dark darker | bright brighter
full | empty
wet | dry
rich richer richest | poor poorer poorest
thick thicker | thin thinner
wide wider | narrow narrower
deep deeper | shallow shallower
heavy heavier | light lighter
loud louder loudly | quiet quieter quietly
clean | dirty
alive | dead
present presence | absent absence
majority | minority
war | peace
guilty | innocent
remember! | forget! forgot forgotten
accelerate! acceleration | decelerate! deceleration slow!
add! addition | remove! removal delete! subtract!
likely probable probably | unlikely improbable
sufficient sufficiently enough | insufficient insufficiently
voluntary voluntarily optional | involuntary involuntarily compulsory mandatory
attack! | defend! defence defense
left | right
day daytime | night
morning | evening afternoon
summer | winter
sleep! slept asleep | awake wake! woke
man men male males husband husbands father fathers paternal brother brothers son sons boy boys
    | woman women female females wife wives mother mothers maternal sister sisters daughter daughters girl girls
subsonic | supersonic hypersonic
laminar | turbulent
viscous | inviscid
convex | concave
maximal maximally maximize! maximise! | minimal minimally minimize! minimise!
ascending | descending
acute | chronic
benign | malignant
hypertension hypertensive | hypotension hypotensive
aerobic | anaerobic
overestimate! overestimation | underestimate! underestimation
overweight | underweight
urban | rural
rigid | flexible
homogeneous | heterogeneous inhomogeneous
parallel | perpendicular
horizontal horizontally | vertical vertically
clockwise | counterclockwise anticlockwise
input inputs | output outputs
encrypt! encryption | decrypt! decryption
encourage! | discourage!
create! creation | destroy! destruction
build builds built | demolish! demolition
"""
"""A `!` stands for the regular forms of a verb, `_` for a space."""

_ENGLISH_PREFIXES = """
un able acceptable affected armed authorised authorized available aware balanced biased bounded certain changed clear
    common conditional conscious controlled employed equal even expected fair finished fortunately happy healthy
    important known limited married necessary paid popular predictable published qualified reasonable related reliable
    resolved restricted satisfactory saturated sold stable steady successful supervised symmetrical treated used usual
    usually viable wanted willing written
in accurate active adequate capable complete completely compressible consistent dependent direct directly effective
    efficient elastic eligible expensive formal organic sensitive significant significantly soluble tolerant valid
    vertebrate vertebrates visible
im balanced mature mobile moral mortal partial patient perfect permeable plausible polite possible possibly possibility
    practical precise precisely proper
il legitimate literate logical
ir rational regular relevant responsible reversible
a symmetric symmetrical synchronous typical typically
dis advantage advantages agree agreed agreement agrees appear appeared appears appearance approve approved approves
    connect connected continue continued honest honestly proportionate respect satisfied similar
"""

_GERMAN = """
steigen steigt stieg stiegen gestiegen anstieg zunahme zugenommen zunehmend erhöhen erhöht erhöhte erhöhten erhöhung
    wachsen wächst wuchs wuchsen gewachsen wachstum
    | sinken sinkt sank sanken gesunken rückgang abnahme abgenommen abnehmend verringern verringert verringerte
    verringerung senken senkt senkte senkten gesenkt senkung schrumpfen schrumpft schrumpfte geschrumpft
mehr | weniger
mindestens minimum | höchstens maximum maximal
hoch hohe~ höher~ höchste~ | niedrig~ niedriger~ niedrigste~
früher | später
beginnen beginnt begann begannen begonnen beginn anfang | enden endet endete endeten geendet ende
gewinnen gewinnt gewann gewannen gewonnen gewinner | verlieren verliert verlor verloren verlierer
gewinn gewinne überschuss | verlust verluste defizit
kaufen kauft kaufte kauften gekauft käufer käuferin | verkaufen verkauft verkaufte verkauften verkäufer verkäuferin
angenommen annahme zugestimmt genehmigt~ genehmigung | abgelehnt~ ablehnung verweigert~ verweigerung
muss müssen | darf dürfen kann können
erlaubt~ erlauben gestattet~ | verboten~ verbieten verbietet verbot untersagt~
positiv~ | negativ~
richtig~ wahr~ | falsch~
norden nördlich~ | süden südlich~
osten östlich~ | westen westlich~
warm~ heiß~ wärmer~ | kalt~ kühl~ kälter~
billig~ günstig~ billiger~ | teuer~ teure~ teurer~
stark~ stärker~ | schwach~ schwächer~
groß~ größer~ größte~ | klein~ kleiner~ kleinste~
lang~ länger~ | kurz~ kürzer~
schnell~ schneller~ | langsam~ langsamer~
alt~ älter~ | neu~ neuer~ jung~ jünger~
gut~ besser~ beste~ | schlecht~ schlechter~
sicher~ ungefährlich~ | gefährlich~
offen~ geöffnet~ | geschlossen~
intern~ | extern~
innerhalb | außerhalb
öffentlich~ | privat~
oft häufig~ immer | selten~
kläger klägerin | beklagter beklagte beklagten
vermieter vermieterin | mieter mieterin
gläubiger | schuldner
arbeitgeber arbeitgeberin | arbeitnehmer arbeitnehmerin
vorteil vorteile vorteilhaft~ | nachteil nachteile nachteilig~
verbessern verbessert~ verbesserung | verschlechtern verschlechtert~ verschlechterung
einfach~ leicht~ | schwierig~ schwer~
hell~ | dunkel dunkle~
voll~ | leer~
nass~ feucht~ | trocken~
reich~ | arm~ arme~
dick~ | dünn~
breit~ | schmal~
tief~ | flach~
laut~ | leise~
sauber~ | schmutzig~
anwesend~ anwesenheit | abwesend~ abwesenheit
mehrheit | minderheit
krieg | frieden
schuldig~ | unschuldig~
freiwillig~ | verpflichtend~ obligatorisch~
einfuhr importiert~ | ausfuhr exportiert~
links | rechts
morgens vormittags | abends nachmittags
sommer | winter
akut~ | chronisch~
gutartig~ | bösartig~
laminar~ | turbulent~
mann männer männlich~ ehemann vater bruder sohn | frau frauen weiblich~ ehefrau mutter schwester tochter
"""
"""A `~` stands for the endings of an adjective."""

_GERMAN_PREFIXES = """
un abhängig~ befristet~ begrenzt~ behandelt~ bekannt~ beschränkt~ bestimmt~ endlich~ fähig~ gerecht~ gesättigt~ gültig~
    gleich~ klar~ möglich~ nötig~ notwendig~ regelmäßig~ sichtbar~ verändert~ vollständig~ wahrscheinlich~ wichtig~
    wirksam~ zulässig~ zufrieden~
a symmetrisch~ synchron~ typisch~
nicht linear~
"""
_FORBIDDING = frozenset(("must", "shall", "may"))
"""With "not" each of them forbids."""

_ADJECTIVE_ENDINGS = ("", "e", "en", "em", "er", "es")


class Side(NamedTuple):
    """A side of a row of opposites."""

    row: int
    is_right: bool

    @property
    def opposite(self) -> Side:
        """The other side of the row."""
        return Side(self.row, not self.is_right)


def find_sides(words: Sequence[str]) -> frozenset[Side]:
    """Return the sides of all rows that have a word of a sentence; its words are in lower case."""
    known = _sides_by_word()
    single = (one for one, other in pairwise((*words, "")) if other != "not" or one not in _FORBIDDING)
    pairs = (f"{one} {other}" for one, other in pairwise(words) if one == "at")
    return frozenset(side for word in (*single, *pairs) if word in known for side in known[word])


def are_opposite(one: frozenset[Side], other: frozenset[Side]) -> bool:
    """Return whether two sentences have opposite words: the sides of rows that they have words of.

    A sentence with words of both sides of a row ("it rose and then fell") is opposite to none in that row.
    """
    return any(side.opposite in other and side.opposite not in one and side not in other for side in one)


@cache
def _sides_by_word() -> dict[str, tuple[Side, ...]]:
    rows = [
        *_read_rows(_ENGLISH, _list_verb_forms),
        *_read_prefixes(_ENGLISH_PREFIXES, _list_verb_forms),
        *_read_rows(_GERMAN, _list_adjective_forms),
        *_read_prefixes(_GERMAN_PREFIXES, _list_adjective_forms),
    ]
    found: dict[str, list[Side]] = defaultdict(list)
    for number, row in enumerate(rows):
        for is_right, words in zip((False, True), row, strict=True):
            for word in dict.fromkeys(words):
                found[word].append(Side(number, is_right))
    return {word: tuple(sides) for word, sides in found.items()}


def _read_rows(text: str, list_forms: Callable[[str], list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    for line in text.strip().replace("\n    ", " ").splitlines():
        left, right = line.split("|")
        yield _expand(left, list_forms), _expand(right, list_forms)


def _read_prefixes(text: str, list_forms: Callable[[str], list[str]]) -> Iterator[tuple[list[str], list[str]]]:
    for line in text.strip().replace("\n    ", " ").splitlines():
        prefix, *words = line.split()
        for word in words:
            forms = list_forms(word)
            yield forms, [prefix + form for form in forms]


def _expand(words: str, list_forms: Callable[[str], list[str]]) -> list[str]:
    return [form.replace("_", " ") for word in words.split() for form in list_forms(word)]


def _list_verb_forms(verb: str) -> list[str]:
    """Return the regular forms of an English verb with a `!`; some of them are no words. Other words are alone."""
    if not verb.endswith("!"):
        return [verb]
    verb = verb[:-1]
    if verb.endswith("e"):
        return [verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing"]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return [verb, f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing"]
    third = f"{verb}es" if verb.endswith(("s", "ch", "sh")) else f"{verb}s"
    doubled = verb + verb[-1]
    return [verb, third, f"{verb}ed", f"{verb}ing", f"{doubled}ed", f"{doubled}ing"]


def _list_adjective_forms(word: str) -> list[str]:
    """Return a German adjective with a `~` with its endings; other words are alone."""
    if not word.endswith("~"):
        return [word]
    stem = word[:-1].removesuffix("e")
    return [stem + ending for ending in _ADJECTIVE_ENDINGS]
