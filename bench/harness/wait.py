"""Waiting for a condition, with a deadline."""
import time


def until(condition, deadline, what, or_else=TimeoutError):
    """Ask until it is true.  After the deadline raise, or go on if or_else is None."""
    end = time.monotonic() + deadline
    while not condition():
        if time.monotonic() > end:
            if or_else is None:
                return False
            raise or_else(f"not within {deadline} s: {what}")
        time.sleep(0.02)
    return True
