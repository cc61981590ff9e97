"""Pairs of sentences with numbers, written for this: those that contradict each other, and those that do not.

The rules of `core.quantities` were developed on the first two lists; the held-out ones were written before that and
only counted afterwards.
"""

CONTRADICTORY = """
The rent was raised to £36 a year. | The rent was raised to £38 a year.
The library opens at 10 on Sundays. | The library opens at 11 on Sundays.
The wall is 14 metres long. | The wall is twelve metres long.
Take 20 mg a day. | Take 200 mg a day.
The gates closed within eleven minutes. | The gates closed within ten minutes.
Seven plots are vacant. | Five plots are vacant.
There are 23 families on the waiting list. | There are 32 families on the waiting list.
Prices rose by 4 percent. | Prices rose by 6%.
The talk begins at 7.30 p.m. | The talk begins at 8 p.m.
Der Umsatz stieg um zwanzig Prozent. | Der Umsatz stieg um 25 Prozent.
Die Heizung ist seit drei Wochen kaputt. | Die Heizung ist seit fünf Wochen kaputt.
Take 20 mg a day. | Take 2 g a day.
It is sentence number 1 of the book. | It is sentence number 129 of the book.
See chapter 3 for details. | See chapter 4 for details.
The council will borrow 120,000 pounds. | The council borrows £150,000.
The trip took two hours. | The trip took 90 minutes.
The company employs 1.5 million people. | The company employs two million people.
She was born at 22:00. | She was born at 23:15.
Nurses with a nap recalled 27.4 of 40 pairs. | Nurses with a nap recalled 21.9 of 40 pairs.
The ship had five hundred one passengers. | The ship had 500 passengers.
The bridge can carry 40 tonnes. | The bridge can carry 44 tons.
He came on the first day. | He came on the third day.
It was built in the 18th century. | It was built in the nineteenth century.
The mill is from the eighteenth and nineteenth centuries. | The mill is from the 17th century.
He spoke on the twenty-first day. | He spoke on the twenty second day.
Er kam am dritten Tag. | Er kam am vierten Tag.
Es stammt aus dem 18. Jahrhundert. | Es stammt aus dem neunzehnten Jahrhundert.
Am einundzwanzigsten Tag regnete es. | Am 22. Tag regnete es.
Prices rose by 5%. | Prices rose by 5 euros.
Der Preis stieg um 5 %. | Der Preis stieg um 5 Euro.
The fee is paid monthly. | The fee is paid yearly.
The monthly fee is high. | The annual fee is high.
Die Gebühr wird monatlich gezahlt. | Die Gebühr wird jährlich gezahlt.
Die monatliche Gebühr steigt. | Die jährliche Gebühr steigt.
She trains twice a week. | She trains once a week.
She trains every day. | She trains every week.
Take it three times a day. | Take it twice daily.
Sie trainiert zweimal pro Woche. | Sie trainiert einmal in der Woche.
Sie trainiert 3 Mal im Monat. | Sie trainiert jeden Tag.
"""

AGREEING = """
The rent of an allotment rose to £36. | The rent was raised from £30 to £36 a year.
The library opens on Sundays from 8. | The library will open on Sundays from 8, between 10 and 2 o'clock.
Nurses who took a half-hour nap remembered more. | Nurses who napped for thirty minutes recalled more word pairs.
Nurses earn twenty percent more than their colleagues. | We tested the memory of 212 nurses after three night shifts.
Bread should be kneaded for twenty minutes. | Bread is mostly waiting.
Sea levels are rising because the oceans warm. | The sea is rising for two plain reasons.
The wall lost fourteen metres. | The wall lost 14 m of its coping.
It cost 1,000 dollars. | It cost 1000 dollars.
It has twenty-five rooms. | It has 25 rooms.
Die Wohnung hat fünfundzwanzig Fenster. | Die Wohnung hat 25 Fenster.
About 200 nurses took part. | The study included 212 nurses, and nearly all finished it.
The journey takes two hours. | The journey takes 120 minutes.
The budget is 1.5 million. | The budget is 1,500,000.
Seven plots are vacant. | There are 23 families on the waiting list.
The nap lasted thirty minutes. | The effect disappeared after two days of rest.
The shop opens at 9 a.m. | The shop opens at 09:00.
As shown in Figure 2, recall fell. | As shown in chapter 3, recall fell.
The grant was £90,000. | The council applied for a grant.
A million and a half people live here. | Here live 1.5 million people.
Two thirds of the members agreed. | The members met 4 times.
It was built in the 18th century. | It was built in the eighteenth century.
It was built in the 18th and 19th centuries. | It was built in the 19th century.
The first house stood there. | He lived on the third floor.
First he went home. | He went home on the third day.
He came first. | He came on the second day.
It was one of the first. | It was the second.
One third of the day was over. | It was the first day.
There was a ten-second pause. | There was a first pause.
He has second thoughts. | At first he thought so.
Er achtet die Regeln. | Es ist die zehnte Regel.
Am 3. Tag regnete es. | Am dritten Tag regnete es.
Die Wohnung kostet 18. Das Haus kostet mehr. | Das neunte Haus kostet mehr.
Prices rose by 5%. | Prices rose by 3 euros.
The euro fell by nearly four percent. | The euro fell by as much as four cents.
She trains daily. | She trains seven times a week.
She trains every day, he trains monthly. | He trains once a month.
Sie trainiert täglich. | Sie trainiert jeden Tag.
The weekly paper reports on it. | The annual meeting was short.
He went there twice. | He went there once and stayed a week.
"""

HELD_OUT_CONTRADICTORY = """
The dam holds 30 million litres. | The dam holds 40 million litres.
Admission costs 8 euros. | Admission costs 12 euros.
The hearing lasted three days. | The hearing lasted four days.
Only six of the guests came. | Only nine of the guests came.
The tower is 52 m high. | The tower is 61 metres high.
He served two terms as mayor. | He served three terms as mayor.
Unemployment fell to 5.1 percent. | Unemployment fell to 4.8 per cent.
The train leaves at 06:45. | The train leaves at 07:10.
Heat the oven to 180 degrees. | Heat the oven to 220 degrees.
The sample had 48 patients. | The sample consisted of 84 patients.
Der Saal fasst 300 Personen. | Der Saal fasst 250 Personen.
Der Kredit beträgt 20.000 Euro. | Der Kredit beträgt 30.000 Euro.
The jury awarded $2 million. | The jury awarded $3 million.
Line 12 is wrong. | Line 21 is wrong.
They walked eleven miles. | They walked seven miles.
"""

HELD_OUT_AGREEING = """
The dam holds 30 million litres. | Built in the valley, the dam holds 30,000,000 litres and feeds two towns.
Admission costs 8 euros. | Admission is free for children under 6.
The hearing lasted three days. | The hearing lasted three days and heard 17 witnesses.
Six guests came to dinner. | Dinner is served at 7 p.m.
The tower is 52 m high. | Fifty-two metres high, the tower has 210 steps.
The mayor served two terms. | The mayor won with 58 percent of the vote.
Unemployment fell. | Unemployment fell to 4.8 per cent.
The train leaves at 6.45 a.m. | The train leaves at 06:45 from platform 3.
Bake the loaf for forty minutes. | Heat the oven to 220 degrees.
The sample had 48 patients. | Patients took 20 mg twice a day.
Der Saal fasst dreihundert Personen. | Der Saal fasst 300 Personen.
Der Kredit läuft zehn Jahre. | Der Kredit beträgt 30.000 Euro.
More than 2,000 people protested. | Police counted 2,130 people at the protest.
See page 14. | It is described in section 2.
The walk of eleven miles took us five hours. | We walked eleven miles.
"""


def split_pairs(lines: str) -> list[tuple[str, str]]:
    """Return the pairs of a list."""
    return [(a.strip(), b.strip()) for line in lines.strip().splitlines() for a, b in [line.split(" | ")]]
