"""Bad queries by kind of mistake, for the tests of the window and of the command line."""

from __future__ import annotations

BAD_QUERIES = {
    "ten thousand characters": "sea " * 2500,
    "one word of ten thousand letters": "x" * 10_000,
    "only stop words": "the of and to in is",
    "only operators": '+ - "" -" title: +',
    "only conditions": "-sea type:txt after:1990",
    "unbalanced quotes": 'sea "walls cost',
    "FTS5": 'text: NEAR(sea walls, 2) ^sea OR col:* AND NOT {a b}: "sea" *',
    "SQL": "sea'; DROP TABLE sentence; -- \" OR 1=1",
    "HTML": "<b>sea</b><img src=x onerror=alert(1)><script>1</script> &amp;",
    "emoji": "🌊🌊🏖️ 👩‍👩‍👧",
    "right to left": "הים עולה بحر \u202eabc",
    "another language": "меня зовут кошка и я живу далеко",
    "control characters": "sea\x00\x1b[31m\u2028 walls\ud83d",
}
