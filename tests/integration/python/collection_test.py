"""Collections in Python: each function answers as for one library of all rows in that order."""
import pathlib
import pickle
import subprocess
import unittest

import numpy as np

import quarry
import support

EXAMPLES = support.REPOSITORY / "examples"
SMARTS = ["[OX2H] hydroxyl", "c1ccccc1 ring"]


def run(*arguments):
    subprocess.run([support.PROGRAM, *arguments, "--quiet"], check=True)


class Collections(unittest.TestCase):
    def setUp(self):
        rows = [line for line in (EXAMPLES / "drugs.smi").read_text().splitlines() if not line.startswith("#")]
        context = support.files(a_smi="\n".join(rows[:30] + ["C(C bad"]), b_smi="\n".join(rows[30:]))
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        pathlib.Path("all.smi").write_text("\n".join(rows[:30] + ["C(C bad"] + rows[30:]))
        run("index", "a.smi", "b.smi", "-o", "c.qlibs")
        run("index", "a.smi", "-o", "a.qlib")
        run("index", "b.smi", "-o", "b.qlibs")
        run("index", "all.smi", "-o", "all.qlib")
        self.forms = ["c.qlibs", pathlib.Path("c.qlibs"), "c.qlibs/", ["a.qlib", "b.qlibs"], quarry.read_library("c.qlibs")]

    def test_a_collection_answers_as_one_library(self):
        one = quarry.read_library("all.qlib")
        matches = quarry.match(one, SMARTS).to_csr().toarray()
        nearest = quarry.similar(["CCO"], one, k=5).toarray()
        for form in self.forms:
            with self.subTest(form=form):
                library = quarry.read_library(form)
                self.assertEqual((len(library), library.ids, library.records, library.report, library.num_atoms),
                                 (len(one), one.ids, one.records, one.report, one.num_atoms))
                self.assertEqual([(row.id, row.reason) for row in library.rejected],
                                 [(row.id, row.reason) for row in one.rejected])
                np.testing.assert_array_equal(quarry.match(form, SMARTS).to_csr().toarray(), matches)
                np.testing.assert_array_equal(quarry.similar(["CCO"], form, k=5).toarray(), nearest)
                self.assertEqual(quarry.pick(form, 7).ids, quarry.pick(one, 7).ids)
                np.testing.assert_array_equal(quarry.cluster(form, 0.5).labels, quarry.cluster(one, 0.5).labels)
                library.verify()
                self.assertEqual(pickle.loads(pickle.dumps(library)).ids, one.ids)

    def test_what_is_refused(self):
        with self.assertRaisesRegex(quarry.InputError, "the program makes: quarry index"):
            quarry.index("a.smi", "x.qlibs")
        pathlib.Path("c.qlibs/manifest.json").unlink()
        with self.assertRaisesRegex(quarry.InputError, "its index run has not ended"):
            quarry.read_library("c.qlibs")


if __name__ == "__main__":
    support.main()
