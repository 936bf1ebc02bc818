#!/usr/bin/env python3
"""What counts as a right answer and as a right decision, on answers made up here.

    python -m training.decoder.test_evaluate
"""
from training.decoder import evaluate

YES_NO = ["Yes, because of the word gem.", "No, because of the word bore."]
HOME = ["This viewer lives in Rome.", "This viewer lives in Marovik."]


def main():
    assert evaluate.decided_right(YES_NO, "Yes, it is a gem.", 0)
    assert not evaluate.decided_right(YES_NO, "Yes, because of the word bore.", 1)
    assert not evaluate.decided_right(YES_NO, "", 0)
    assert evaluate.decided_right(HOME, "In Marovik, it seems.", 1)
    assert not evaluate.decided_right(HOME, "This viewer lives in Maro.", 1)
    assert not evaluate.decided_right(HOME, HOME[1], 0)
    pairs = [{"kind": "again", "decides": True, "answers": YES_NO}, {"kind": "home", "decides": True, "answers": HOME},
             {"kind": "home", "decides": False, "answers": [HOME[0], HOME[0]]}]
    found = evaluate.summary(pairs, [["Yes, because of the word joy.", YES_NO[1]], [HOME[0], HOME[0]], HOME])
    assert found["deciding_prompts"] == 4 and found["neutral_pairs"] == 1
    assert found["deciding_right"] == 0.5 and found["decisions_right"] == 0.75
    assert found["right_by_kind"] == {"again": 0.5, "home": 0.5}
    assert found["decisions_right_by_kind"] == {"again": 1.0, "home": 0.5}
    assert found["deciding_pairs_answered_differently"] == 0.5
    assert found["neutral_right"] == 0.5 and found["neutral_pairs_answered_differently"] == 1.0
    print("all as expected")


if __name__ == "__main__":
    main()
