"""One limit for whatever a test waits for.

On a busy machine everything takes its time, and where all is well a long limit costs nothing.
"""

PATIENCE_S = 300
PATIENCE_MS = 1000 * PATIENCE_S
