r"""The marks that are part of words: vowel signs of Hindi, Tamil or Thai, points of Hebrew and Arabic, accents.

Python's `\w` leaves them out, and would cut words at each of them.
"""

from __future__ import annotations

# Unicode's categories Mn and Mc up to U+FFFF, with the unassigned characters between them, but without the variation
# selectors: these choose the look of a sign, such as an emoji, that is no word.
_RANGES = """
    0300-036f 0483-0487 0591-05bd 05bf 05c1-05c2 05c4-05c5 05c7 0610-061a 064b-065f 0670 06d6-06dc 06df-06e4
    06e7-06e8 06ea-06ed 0711 0730-074a 07a6-07b0 07eb-07f3 07fd 0816-0819 081b-0823 0825-0827 0829-082d 0859-085b
    0898-089f 08ca-08e1 08e3-0903 093a-093c 093e-094f 0951-0957 0962-0963 0981-0983 09bc 09be-09cd 09d7 09e2-09e3
    09fe-0a03 0a3c-0a51 0a70-0a71 0a75 0a81-0a83 0abc 0abe-0acd 0ae2-0ae3 0afa-0b03 0b3c 0b3e-0b57 0b62-0b63 0b82
    0bbe-0bcd 0bd7 0c00-0c04 0c3c 0c3e-0c56 0c62-0c63 0c81-0c83 0cbc 0cbe-0cd6 0ce2-0ce3 0d00-0d03 0d3b-0d3c
    0d3e-0d4d 0d57 0d62-0d63 0d81-0d83 0dca-0ddf 0df2-0df3 0e31 0e34-0e3a 0e47-0e4e 0eb1 0eb4-0ebc 0ec8-0ecd
    0f18-0f19 0f35 0f37 0f39 0f3e-0f3f 0f71-0f84 0f86-0f87 0f8d-0fbc 0fc6 102b-103e 1056-1059 105e-1060 1062-1064
    1067-106d 1071-1074 1082-108d 108f 109a-109d 135d-135f 1712-1715 1732-1734 1752-1753 1772-1773 17b4-17d3 17dd
    180b-180d 180f 1885-1886 18a9 1920-193b 1a17-1a1b 1a55-1a7f 1ab0-1abd 1abf-1b04 1b34-1b44 1b6b-1b73 1b80-1b82
    1ba1-1bad 1be6-1bf3 1c24-1c37 1cd0-1cd2 1cd4-1ce8 1ced 1cf4 1cf7-1cf9 1dc0-1dff 20d0-20dc 20e1 20e5-20f0
    2cef-2cf1 2d7f 2de0-2dff 302a-302f 3099-309a a66f a674-a67d a69e-a69f a6f0-a6f1 a802 a806 a80b a823-a827 a82c
    a880-a881 a8b4-a8c5 a8e0-a8f1 a8ff a926-a92d a947-a953 a980-a983 a9b3-a9c0 a9e5 aa29-aa36 aa43 aa4c-aa4d
    aa7b-aa7d aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaeb-aaef aaf5-aaf6 abe3-abea abec-abed fb1e fe20-fe2f
"""

MARKS = "".join("-".join(chr(int(end, 16)) for end in ends.split("-")) for ends in _RANGES.split())
"""The marks, for a character class of a regular expression."""
