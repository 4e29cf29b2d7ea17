"""Lists that hold rows which cannot be used, sets of alerts by name, and ids that are not unique."""
import csv
import pathlib
import pickle
import subprocess
import unittest
import warnings

import numpy as np

import quarry
import support

EXAMPLES = support.REPOSITORY / "examples"
SMARTS = ["[OX2H] hydroxyl", "c1ccccc1 ring"]
SMILES = ["CCO", "c1ccccc1O", "CC(=O)Oc1ccccc1C(=O)O"]


def run(*arguments):
    return subprocess.run([support.PROGRAM, *arguments, "--quiet"], capture_output=True, text=True, check=True).stdout


class Rejected(unittest.TestCase):
    def test_no_molecule_of_a_list_can_be_used(self):
        for given in (["bad("], [None], [""], ["C\0C"], ["bad("] * 40000):
            rows = list(range(len(given)))
            with self.subTest(given[:1]), self.assertWarnsRegex(quarry.RejectedWarning, f"{len(given)} of {len(given)} mol"):
                found = quarry.match(given, SMARTS)
            self.assertEqual((found.shape, len(found)), ((len(given), len(SMARTS)), 0))
            self.assertEqual(([row.row for row in found.rejected], len(found.ids)), (rows, len(given)))
        with self.assertWarns(quarry.RejectedWarning):
            library = quarry.read_library(["bad(", None])
            for given in (["bad(", None], library, pickle.loads(pickle.dumps(library))):
                self.assertEqual(quarry.match(given, SMARTS).shape, (2, len(SMARTS)))
                self.assertEqual(quarry.cluster(given, 0.5).labels.tolist(), [-1, -1])
                self.assertTrue(np.isnan(quarry.similar(given)).all() and np.isnan(quarry.similar(SMILES, given)).all())
                self.assertEqual(quarry.similar(SMILES, given, k=1).nnz, 0)
                self.assertFalse(quarry.ecfp4(given).any())
                with self.assertRaisesRegex(quarry.InputError, "no molecule can be used, of 2"):
                    quarry.pick(given, 1)
            with support.files(rows_smi="bad(\n"):
                with self.assertRaisesRegex(quarry.InputError, "no molecule can be used, of 1.*there is no SMILES"):
                    quarry.index([None], "rows.qlib")
                for call in (lambda given: quarry.match(given, SMARTS), quarry.read_library, quarry.similar):
                    with self.assertRaisesRegex(quarry.InputError, "no molecule"):
                        call("rows.smi")

    def test_text_in_a_list_is_no_path(self):
        for text in ("C\0C", "", "/", "\udcff"):
            with self.subTest(text), self.assertWarnsRegex(quarry.RejectedWarning, "1 of 2 molecules"):
                found = quarry.match([text, "CC"], ["C"])
            self.assertEqual(([row.row for row in found.rejected], found.molecules.tolist()), ([0], [1]))
            with self.subTest(text), self.assertWarns(quarry.RejectedWarning):
                self.assertEqual(quarry.cluster([text, "CC"], 0.5).labels.tolist(), [-1, 0])

    def test_many_rejected_in_a_row(self):
        smiles = ["C"] * 10 + ["bad("] * 40000 + ["C"] * 5  # whole chunks of them
        with self.assertWarns(quarry.RejectedWarning):
            found = quarry.match(smiles, ["C"])
        self.assertEqual((found.shape, len(found.ids), len(found.rejected)), ((40015, 1), 40015, 40000))
        self.assertEqual(sum(block.shape[0] for block in quarry.match_blocks(smiles, ["C"])), 40015)


class Names(unittest.TestCase):
    def test_sets(self):
        """As --set and --sets-dir of the program; queries come first."""
        with support.files(house_smarts="O oxygen\nCCCC chain\n"):
            for sets, folder in ((["zinc", "ZINC"], ""), ("house", "."), (("pains", "House"), pathlib.Path("."))):
                names = [sets] if isinstance(sets, str) else sets
                options = [word for name in names for word in ("--set", name)] + ["--sets-dir", str(folder)] * bool(folder)
                said = run("match", str(EXAMPLES / "drugs.smi"), *options, "--mode", "count")
                wanted = sorted((row["molecule"], row["query"], row["count"])
                                for row in csv.DictReader(said.splitlines(), delimiter="\t"))
                for queries, before in ((None, 0), (["CCO ether", "[C", "N"], 3), (EXAMPLES / "alerts.smarts", None)):
                    found = quarry.match(EXAMPLES / "drugs.smi", queries, sets=sets, sets_dir=folder, mode="count",
                                         allow_refused=True)
                    if before is None:
                        before = len(quarry.match(["C"], queries).query_ids)
                    of_sets = found.queries >= before
                    rows = zip(found.molecules[of_sets], found.queries[of_sets], found.counts[of_sets])
                    self.assertEqual(sorted((found.ids[m], found.query_ids[q], str(c)) for m, q, c in rows), wanted)
            self.assertEqual(quarry.match(["CCO"], ["CCO ether", "[C", "N"], sets="house", sets_dir=".",
                                          allow_refused=True).query_ids, ["ether", "2", "3", "oxygen", "chain"])
            self.assertEqual(sum(block.shape[0] for block in quarry.match_blocks(SMILES, sets=["brenk"])), len(SMILES))
            with self.assertWarnsRegex(UserWarning, "alerts that count atoms differ"):
                quarry.match(SMILES, sets=["zinc"], explicit_hydrogens=True)
            for error, message, options in ((quarry.InputError, "no set .*'pain'.*did you mean 'pains'", {"sets": "pain"}),
                                            (quarry.InputError, "no queries", {}), (quarry.InputError, "no queries", {"sets": []}),
                                            (quarry.InputError, "none", {"sets": "a", "sets_dir": "none"}),
                                            (TypeError, "not int", {"sets": [3]})):
                with self.subTest(options), self.assertRaisesRegex(error, message):
                    quarry.match(SMILES, **options)

    def test_equal_ids(self):
        for molecules, queries, options, message in (
                (["C", "N", "O"], ["C"], {"ids": ["a", "a", "a"]}, "^2 molecules have the id of an earlier one"),
                (["C", "bad("], ["C x", "N x"], {}, "^1 query has the id of an earlier one")):
            with self.assertWarnsRegex(quarry.EqualIdsWarning, message), warnings.catch_warnings():
                warnings.simplefilter("ignore", quarry.RejectedWarning)
                quarry.match(molecules, queries, **options)
        with warnings.catch_warnings():
            warnings.simplefilter("error", quarry.EqualIdsWarning)
            warnings.simplefilter("ignore", quarry.RejectedWarning)
            quarry.match(["C", "C", "bad(", None], ["C", "C"])


if __name__ == "__main__":
    support.main()
