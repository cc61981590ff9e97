"""The cosine similarities above which two sentences count as close or related.

Both limits are fitted on the development part of STS-B (Cer et al. 2017; 1,500 pairs that people judged from 0 to 5)
with the bundled model: each is the cosine that separates the pairs judged so from the others with the best F1.
"""

from __future__ import annotations

CLOSE = 0.75
"""From here on two sentences say the same, as far as a cosine can tell: judged 3.5 or more (F1 0.74)."""

RELATED = 0.45
"""From here on they are about the same: judged 2 or more (F1 0.90)."""
