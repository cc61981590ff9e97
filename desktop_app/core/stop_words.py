"""Words that say nothing about what a text is about, in the languages that are most often met."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPEAKS_UP = 2
"""Stop words of a text from which on its language may be another than English."""

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
"""
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

_LANGUAGES = tuple(
    frozenset(words.split()) for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH)
)
STOP_WORDS = frozenset().union(*_LANGUAGES)
"""Of all languages together, in small letters and with straight apostrophes: libraries mix languages."""

_APOSTROPHE = str.maketrans("’", "'")


def telling_words(words: Sequence[str]) -> list[str]:
    """Return those of a text's words that say what it is about, each once, in order; all, where none of them does.

    What says nothing in one language does in another ("war", "sea", "man"): the words of English are left out, or
    those of the language of which the text has more, and at least two.
    """
    distinct = list(dict.fromkeys(words))
    plain = [word.casefold().translate(_APOSTROPHE) for word in distinct]
    counts = [sum(word in language for word in plain) for language in _LANGUAGES]
    most = max(counts)
    nothing = _LANGUAGES[counts.index(most) if most >= _SPEAKS_UP else 0]
    return [word for word, small in zip(distinct, plain, strict=True) if small not in nothing] or distinct
