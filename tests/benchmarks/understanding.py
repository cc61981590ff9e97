"""Queries that can be searched by meaning, told apart from nonsense and from languages that the model does not know.

None of these queries was looked at when the weights in `engine/query_understanding.py` were fitted.
"""

from __future__ import annotations

import random
from pathlib import Path

from desktop_app.encoder import SiameseEncoder
from desktop_app.engine.calibration import Calibrator
from desktop_app.engine.query_vectors import QueryVectors
from desktop_app.engine.requests import SearchRequest, SearchResult
from desktop_app.engine.search_run import Searcher
from desktop_app.store.library import LocalLibrary
from tests.benchmarks.harness import Bench
from tests.benchmarks.retrieval import kindred

REACH = 95
NOVELS = ("Stevenson_Treasure_1883.txt", "Burnett_Garden_1911.txt")
_SAMPLES = Path(__file__).parents[2] / "resources" / "samples"

# About the samples, "Treasure Island" and "The Secret Garden".
REAL = """
harbour flood defences
how much does the flood wall cost
sea level rise
what is sleep for
why do we dream
sourdough starter
how long should bread rise
treasure map
the old sea dog at the inn
who killed the captain
a one-legged sailor with a parrot
apple barrel
black spot
Long John Silver
Ben Gunn wants cheese
pieces of eight
mutiny on the ship
the boy overhears the plot
rum
stockade under attack
buried gold
secret garden
the key was buried in the earth
a robin shows the way
crying in the night
the boy who could not walk
Mistress Mary quite contrary
moorland wind
Dickon charms animals
fresh air makes children healthy
cholera in India
ivy-covered door
roses coming back to life
a spoiled child
magic and positive thinking
the walking stick of Dr. Mortimer
what can you tell from a stick
Sherlock Holmes deduction
country doctor
spaniel bite marks
salt marsh and waves
storm surge
climate change adaptation
who attended the meeting
the council buys houses
memory consolidation during the night
lack of sleep and illness
teenagers sleep late
kneading dough
oven temperature
crust
glaciers melting
oysters protect the coast
what did the harbour master report
drunk captain sings
blind beggar
a map with a red cross
schooner Hispaniola
captain's sea chest
wounded by a knife on the mast
fever on the island
doctor negotiates with pirates
skeleton pointing the way
marooned sailor
ship's cook
the squire talks too much
loyal hands on board
cannon fire
rowing a small boat in the current
cutting the anchor rope
the Jolly Roger
hunger for adventure
gardening with children
spring flowers
hidden door in a wall
father returns home
grief over a dead wife
housekeeper with rules
Yorkshire dialect
skipping rope
a wheelchair outdoors
learning to walk again
pony on the moor
squirrels and foxes
lonely girl without parents
uncle with a crooked back
is it safe to live near the sea
What happens in the brain when we are asleep?
How do I keep my bread from getting stale?
When will the flood gates be built?
He was afraid of the man with one leg.
She had never seen such a beautiful place.
The sea will keep rising for centuries.
They voted on the motion at the end.
People ought to go to bed earlier.
money
fear
friendship between children
loyalty and betrayal
death of a pirate
""".strip().splitlines()

FOREIGN = """
Wie hoch wird das Meer steigen
Hochwasserschutz am Hafen
warum träumen wir
Schatzkarte
der Junge im Apfelfass
wie lange muss der Teig gehen
ein Pirat mit Holzbein
Schlafmangel macht krank
der geheime Garten
Was kostet die Mauer?
Onkel mit krummem Rücken
Rotkehlchen zeigt den Weg
combien coûte la digue
pourquoi dormons-nous
carte au trésor
le jardin secret
un marin avec une jambe de bois
la montée du niveau de la mer
comment faire du pain
le chien du docteur
la réunion du port
les enfants ont besoin d'air frais
une porte cachée derrière le lierre
la défense contre les inondations
cuánto cuesta el muro
por qué soñamos
mapa del tesoro
el jardín secreto
el nivel del mar sube
cómo hacer pan en casa
un pirata con una sola pierna
el niño que no podía caminar
la reunión del puerto
dormir poco enferma
rosas que vuelven a florecer
una puerta escondida
quanto costa il muro
perché dormiamo
la mappa del tesoro
il giardino segreto
il livello del mare sale
come si fa il pane
un pirata con una gamba sola
la riunione del porto
il bambino che non camminava
una porta nascosta nel muro
quanto custa o muro
por que sonhamos
mapa do tesouro
o jardim secreto
o nível do mar está subindo
como fazer pão caseiro
a reunião do porto
o menino que não andava
hoeveel kost de muur
waarom slapen wij
de geheime tuin
een schatkaart met een rood kruis
de zeespiegel stijgt steeds sneller
brood bakken zonder gist
vergadering over de haven
het meisje zonder ouders
ile kosztuje mur
dlaczego śnimy
mapa skarbów
tajemniczy ogród
poziom morza rośnie
jak upiec chleb
pirat z drewnianą nogą
zebranie w porcie
hur mycket kostar muren
varför sover vi
den hemliga trädgården
havet stiger varje år
baka bröd hemma
mötet i hamnen
hvad koster muren
hvorfor drømmer vi
den hemmelige have
havet stiger hurtigere
bage brød med surdej
miksi me nukumme
salainen puutarha
merenpinta nousee
aarrekartta saarella
kuinka leipä leivotaan
kolik stojí zeď
proč spíme
tajemná zahrada
hladina moře stoupá
mapa pokladu
duvar ne kadar
neden rüya görürüz
gizli bahçe
deniz seviyesi yükseliyor
зачем нам сон
карта сокровищ
навіщо ми спимо
港の会議
海平面上升
""".strip().splitlines()

_MASHED = """
asdkjh qweoiu
sdfjkl sdfkjl
qwerqwer
lkjhgf poiuyt
hjkl hjkl hjkl
xcvbxcvb zxmnc
asdf jklö
fghfgh
dkfjgh ksjdfh
wieruwer
mnbvcx
ajskdl fjdksl
qpwoeiruty
zzzzxxxx
bnmbnm vbnvbn
oiuoiu lkjlkj
gfdsa trewq
uiopuiop
plokij uhygtf
sdkfj slkdfj lskdjf
""".strip().splitlines()
_ONSETS = ("br", "ch", "d", "f", "gl", "h", "kr", "l", "m", "n", "p", "qu", "sk", "t", "tr", "v", "w", "z")
_RIMES = ("ab", "ack", "ed", "elm", "if", "ilt", "onk", "orb", "ug", "umph", "ythe", "oon", "arg", "esp")


def nonsense(library_words: list[str]) -> list[str]:
    """Return 100 queries: mashed keys, random letters, made words, and real words with their letters shuffled."""
    rng = random.Random(20261123)
    letters = [
        " ".join("".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(5, 9))) for _ in range(count))
        for count in [1, 2, 3] * 9
    ]
    made = [
        " ".join(
            "".join(rng.choice(_ONSETS) + rng.choice(_RIMES) for _ in range(rng.randint(2, 3))) for _ in range(count)
        )
        for count in [1, 2, 3] * 9
    ]
    long = [word for word in library_words if len(word) >= 7]
    shuffled = [
        " ".join("".join(rng.sample(word, len(word))) for word in rng.sample(long, count)) for count in [1, 2] * 13
    ]
    return [*_MASHED, *letters, *made, *shuffled]


def run(bench: Bench) -> None:
    """Print and store the figures."""
    if bench.data is None:
        print("understanding: needs --data")
        return
    novels = [bench.data / "books" / name for name in NOVELS]
    kindred(bench, "import", str(_SAMPLES), *map(str, novels), "--quiet")
    words = sorted({word for query in REAL for word in query.lower().split() if word.isalpha()})
    encoder, vectors, calibrator = SiameseEncoder(), QueryVectors(), Calibrator()
    library = LocalLibrary.open(bench.work / "library", writable=False, create=False)

    def ask(query: str) -> SearchResult:
        request = SearchRequest(query, top_k=200, page_size=20, mode="both", fold_copies=True)
        return Searcher(library, lambda: encoder, vectors, request, calibrator).search()

    kept = {}
    chance = ask(REAL[0]).chance or 0.0
    rows: list[list[object]] = [["", "goal", "told apart", "by the level of chance", "with hits above chance"]]
    for name, queries in (("real", REAL), ("foreign", FOREIGN), ("nonsense", nonsense(words))):
        assert len(queries) == 100, (name, len(queries))
        answers = [ask(query) for query in queries]
        wrong = [query for query, each in zip(queries, answers, strict=True) if each.is_query_known != (name == "real")]
        dressed = sum(
            any(near.score >= each.chance for near in each.found)
            for each in answers
            if each.chance is not None and each.mode == "both"
        )
        # What told them apart before: whether the nearest sentence is nearer than random ones.
        nearest = [library.search.nearest(vectors.embed(encoder, query), 1)[0].score for query in queries]
        by_chance = sum((score >= chance) == (name == "real") for score in nearest)
        kept[name] = {"told": 100 - len(wrong), "wrong": wrong, "above_chance": dressed, "by_chance": by_chance}
        rows.append([name, REACH, 100 - len(wrong), by_chance, dressed])
        if wrong:
            print(f"{name}, wrong: {'; '.join(wrong)}")
    library.close()
    bench.say(f"understanding: 100 queries of each kind, {len(NOVELS)} novels and the samples", rows)
    bench.results["understanding"] = kept
