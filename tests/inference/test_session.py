"""Session: batches hold every text once and little padding."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pinyon.inference.onnx.session import BATCH_TOKENS, batches


@given(st.lists(st.integers(1, 9_000), max_size=60))
def test_each_text_is_in_one_batch_and_no_batch_is_too_large(lengths: list[int]) -> None:
    made = list(batches(lengths))
    assert sorted(at for batch in made for at in batch) == list(range(len(lengths)))
    for batch in made:
        longest = max(lengths[at] for at in batch)
        assert len(batch) == 1 or len(batch) * longest <= BATCH_TOKENS


@given(st.lists(st.integers(1, 512), min_size=1, max_size=60))
def test_no_batch_holds_a_text_shorter_than_one_of_the_next(lengths: list[int]) -> None:
    sizes = [[lengths[at] for at in batch] for batch in batches(lengths)]
    assert all(min(a) >= max(b) for a, b in pairwise(sizes))
