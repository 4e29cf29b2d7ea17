"""Molecules: index, read_library, match, similar, cluster, pick and ecfp4, beside RDKit's own module and the program."""
import csv
import pathlib
import pickle
import subprocess
import unittest
import warnings

import numpy as np
from scipy import sparse

import quarry
import support

try:
    from rdkit import Chem, DataStructs, RDLogger
    from rdkit.Chem import rdMolDescriptors
    RDLogger.DisableLog("rdApp.*")
except ImportError:
    Chem = None
try:
    import pandas
except ImportError:
    pandas = None

EXAMPLES = support.REPOSITORY / "examples"
SMARTS = ["[OX2H] hydroxyl", "c1ccccc1 ring", "[CX3](=O)[OX1H0-,OX2H1]", "[#6]~[#7]", "C(=O)N", "[NX3;H2]"]
SMILES = ["CCO", "c1ccccc1O", "CC(=O)Oc1ccccc1C(=O)O", "CC(=O)Nc1ccc(O)cc1", "NCCc1ccc(O)c(O)c1"]
BAD = ["CCO", "bad(", None, "c1ccccc1O", "C\u200bC"]


def run(*arguments):
    return subprocess.run([support.PROGRAM, *arguments, "--quiet"], capture_output=True, text=True, check=True).stdout


def drugs():
    """SMILES and ids."""
    rows = [line.split(None, 1) for line in (EXAMPLES / "drugs.smi").read_text().splitlines()]
    rows = [row for row in rows if row and not row[0].startswith("#") and row[0].lower() != "smiles"]
    return [row[0] for row in rows], [row[1] for row in rows]


def fingerprints(smiles):
    return [rdMolDescriptors.GetMorganFingerprintAsBitVect(Chem.MolFromSmiles(text), 2, 2048) for text in smiles]


class Match(unittest.TestCase):
    @unittest.skipIf(Chem is None, "no python3-rdkit")
    def test_as_rdkit(self):
        smiles, _ = drugs()
        found = quarry.match(smiles, SMARTS, mode="all")
        counts = found.to_csr().toarray()
        self.assertEqual(found.shape, (len(smiles), len(SMARTS)))
        pairs = iter(range(len(found)))
        for row, text in enumerate(smiles):
            molecule = Chem.MolFromSmiles(text)
            for column, query in enumerate(SMARTS):
                wanted = molecule.GetSubstructMatches(Chem.MolFromSmarts(query.split()[0]), uniquify=False,
                                                      maxMatches=10**6)
                self.assertEqual(counts[row, column], len(wanted), (text, query))
                if wanted:
                    pair = next(pairs)
                    self.assertEqual((found.molecules[pair], found.queries[pair]), (row, column))
                    self.assertEqual(set(map(tuple, found.embeddings(pair).tolist())), set(wanted))
        self.assertEqual(found.query_ids, ["hydroxyl", "ring", "3", "4", "5", "6"])

    @unittest.skipIf(Chem is None, "no python3-rdkit")
    def test_rdkit_molecules(self):
        """Atoms have the numbers of the molecule that was given, with and without hydrogens among them."""
        for change in (lambda molecule: molecule, Chem.AddHs,
                       lambda molecule: Chem.RenumberAtoms(molecule, list(range(molecule.GetNumAtoms()))[::-1])):
            molecules = [change(Chem.MolFromSmiles(text)) for text in SMILES]
            found = quarry.match(molecules, [Chem.MolFromSmarts("[OX2H]"), "C(=O)N"], mode="unique")
            for pair in range(len(found)):
                query = Chem.MolFromSmarts(["[OX2H]", "C(=O)N"][found.queries[pair]])
                wanted = molecules[found.molecules[pair]].GetSubstructMatches(query)
                self.assertEqual({tuple(sorted(row)) for row in found.embeddings(pair).tolist()},
                                 {tuple(sorted(row)) for row in wanted})
            self.assertEqual(len(found), 6)
        with self.assertRaisesRegex(quarry.InputError, "cannot be numbered"):
            quarry.match(molecules, ["C"], mode="all", explicit_hydrogens=True)
        self.assertEqual(quarry.match(molecules[:1], ["[#1]"], mode="count", explicit_hydrogens=True).counts.tolist(), [6])

    def test_as_the_program(self):
        with support.files():
            library = quarry.index(EXAMPLES / "drugs.smi", "drugs.qlib")
            said = run("match", "drugs.qlib", str(EXAMPLES / "alerts.smarts"), "--mode", "count")
            rows = list(csv.DictReader(said.splitlines(), delimiter="\t"))
            for molecules in (library, "drugs.qlib", EXAMPLES / "drugs.smi", drugs()[0]):
                found = quarry.match(molecules, EXAMPLES / "alerts.smarts", mode="count", ids=None)
                self.assertEqual(len(found), len(rows))
                self.assertEqual(found.counts.tolist(), [int(list(row.values())[2]) for row in rows])
                self.assertEqual([found.query_ids[i] for i in found.queries], [row["query"] for row in rows])
            self.assertEqual(quarry.match("drugs.qlib", EXAMPLES / "alerts.smarts").ids, drugs()[1])
            first = quarry.match(drugs()[0], EXAMPLES / "alerts.smarts")
            self.assertEqual(set(first.counts), {1})

    def test_files_of_hits(self):
        with support.files():
            for mode in ("first", "count", "all", "unique"):
                whole = quarry.match(EXAMPLES / "drugs.smi", EXAMPLES / "alerts.smarts", mode=mode)
                for name in ("hits.qhits", "hits.npz"):
                    run("match", str(EXAMPLES / "drugs.smi"), str(EXAMPLES / "alerts.smarts"), "--mode", mode, "-o", name)
                found = quarry.read_hits("hits.qhits")
                self.assertEqual((found.shape, found.query_ids), (whole.shape, whole.query_ids))
                for name in ("molecules", "queries", "counts", "truncated", "timeout", "overflow", "atom_offsets", "atoms"):
                    np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
                with_hits = set(whole.molecules.tolist())
                self.assertEqual(found.ids, [id if i in with_hits else "" for i, id in enumerate(whole.ids)])
                # As docs/hits-format.md reads the matrix.
                code, names = (support.REPOSITORY / "docs/hits-format.md").read_text().split("```python\n")[1], {}
                exec(code.split("```")[0], names)
                self.assertEqual((names["counts"] != whole.to_csr()).nnz, 0)
                self.assertEqual(names["counts"].dtype, np.int64)
                self.assertEqual((names["molecules"], names["queries"]), (whole.ids, whole.query_ids))
            with open("hits.qhits", "r+b") as file:
                file.truncate(200)
            with self.assertRaisesRegex(quarry.InputError, "hits.qhits"):
                quarry.read_hits("hits.qhits")

    def test_blocks(self):
        smiles = drugs()[0] * 45  # more than a chunk
        smiles[3] = smiles[17000] = smiles[-1] = "bad("
        with self.assertWarns(quarry.RejectedWarning):
            whole = quarry.match(smiles, SMARTS, mode="unique")
        blocks = list(quarry.match_blocks(smiles, SMARTS, mode="unique"))
        self.assertGreater(len(blocks), 1)
        self.assertEqual([block.first_molecule for block in blocks],
                         np.cumsum([0] + [block.shape[0] for block in blocks])[:-1].tolist())
        self.assertEqual(sum(block.shape[0] for block in blocks), len(smiles))
        for name in ("molecules", "queries", "counts", "atoms"):
            joined = np.concatenate([getattr(block, name) for block in blocks])
            np.testing.assert_array_equal(joined, getattr(whole, name))
        self.assertEqual([id for block in blocks for id in block.ids], whole.ids)
        self.assertEqual([row.row for block in blocks for row in block.rejected], [3, 17000, len(smiles) - 1])
        np.testing.assert_array_equal(sparse.vstack([block.to_csr() for block in blocks]).toarray(),
                                      whole.to_csr().toarray())
        with quarry.match_blocks(smiles, SMARTS) as early:
            next(early)
        self.assertEqual(list(early), [])
        with self.assertRaisesRegex(quarry.InputError, "refused"):
            next(quarry.match_blocks(smiles, ["[C"]))

    def test_rejected(self):
        for queries, options in ((SMARTS, {}), (EXAMPLES / "alerts.smarts", {"mode": "all"})):
            with self.assertWarnsRegex(quarry.RejectedWarning, "3 of 5 molecules rejected, the first in row 1") as caught:
                found = quarry.match(BAD, queries, **options)
            self.assertEqual([row.row for row in found.rejected], [1, 2, 4])
            self.assertEqual(caught.warning.rejected, tuple(found.rejected))
            self.assertEqual(caught.filename, __file__)
            self.assertEqual(found.to_csr().shape[0], 5)
            self.assertLessEqual(set(found.molecules), {0, 3})
        with support.files(rows_smi="CCO a\nbad( b\nc1ccccc1O c\n"):
            with self.assertWarnsRegex(quarry.RejectedWarning, "1 of 3 molecules rejected, the first in line 2"):
                found = quarry.match("rows.smi", SMARTS)
            self.assertEqual((found.shape[0], found.ids, found.rejected[0].line), (2, ["a", "c"], 2))

    def test_overflow(self):
        molecules = ["C[U]" + "(F)" * 11 + "F", "F[U]"]
        queries = ["[U]" + "(F)" * 8 + "F", "F[U]"]
        with self.assertWarnsRegex(quarry.OverflowWarning, "^1 of 3 pairs"):
            found = quarry.match(molecules, queries, mode="all")
        self.assertEqual(found.overflow.tolist(), [True, False, False])
        self.assertEqual(found.counts.tolist(), [79833600, 12, 1])
        self.assertEqual(found.to_pandas()["overflow"].tolist(), [True, False, False])
        self.assertEqual(found.embeddings(2).tolist(), [[0, 1]])
        with self.assertRaisesRegex(quarry.CapacityError, "^pair 0 has more embeddings"):
            found.embeddings(0)

    def test_progress(self):
        with support.files(rows_smi="\n".join(SMILES)):
            for molecules in (SMILES, "rows.smi", quarry.read_library(SMILES)):
                calls = []
                quarry.match(molecules, SMARTS, progress=lambda *call: calls.append(call))
                self.assertEqual(calls[-1], (5, 5))
                self.assertEqual(calls, sorted(calls))

    def test_stereo_marks_are_resolved_at_once_or_when_asked_for(self):
        smiles, queries = ["N[C@@H](C)O", "N[C@H](C)O", "F/C=C/F", "CCO"], ["N[C@@H](C)O", "F/C=C\\F", "C"]
        for stereo in (False, True):
            library = quarry.read_library(smiles, stereo=stereo)
            self.assertEqual(library.provenance["stereo"], stereo)
            for molecules in (library, library, pickle.loads(pickle.dumps(library))):
                found = quarry.match(molecules, queries, chirality=True)
                self.assertEqual(list(zip(found.molecules, found.queries)), [(0, 0), (0, 2), (1, 2), (2, 2), (3, 2)])

    def test_a_share_of_the_rows_is_audited(self):
        self.assertEqual(quarry.read_library(SMILES, audit=0).audit, quarry.Audit(0, 0, ""))
        self.assertGreater(quarry.read_library(SMILES, audit=1).audit.rows, 0)
        self.assertEqual(quarry.read_library(SMILES, audit=1).audit.differences, 0)
        with self.assertRaisesRegex(quarry.InputError, "from 0 to 1"):
            quarry.match(SMILES, ["C"], audit=2)

    def test_options(self):
        with self.assertRaisesRegex(quarry.InputError, "1 of 2 queries refused.*allow_refused"):
            quarry.match(SMILES, ["[C", "O"])
        found = quarry.match(SMILES, ["[C", "O"], allow_refused=True)
        self.assertEqual((found.shape, set(found.queries), found.refused[0].line), ((5, 2), {1}, 1))
        capped = quarry.match(SMILES, ["c"], mode="all", max_matches=2)
        self.assertTrue(capped.truncated.all())
        self.assertTrue((capped.counts == 2).all())
        self.assertTrue(quarry.match(SMILES, ["c1ccccc1"], mode="count", pair_budget=1).timeout.any())
        self.assertEqual(len(quarry.match(["N[C@@H](C)O"], ["N[C@H](C)O"], chirality=True)), 0)
        for options, error, message in (
                ({"mode": "some"}, quarry.InputError, "first, count, all, unique"),
                ({"query_hydrogens": "some"}, quarry.InputError, "auto, literal, merge"),
                ({"refine": 99}, quarry.InputError, "99"), ({"threads": -1}, quarry.InputError, "threads must be 0"),
                ({"device": "cuda:77"}, quarry.Error, "cuda"), ({"progress": 3}, TypeError, "function of"),
                ({"thread": 3}, TypeError, "thread"), ({"threads": 1.5}, TypeError, "threads")):
            with self.subTest(options), self.assertRaisesRegex(error, message):
                quarry.match(SMILES, SMARTS, **options)
        for molecules, error, message in (
                ("none.smi", quarry.InputError, "none.smi"), ([], quarry.InputError, "no molecules"),
                ([3], TypeError, "row 0, not int"),
                (3, TypeError, "list of molecules, not int"), ("a\0b.smi", quarry.InputError, "NUL")):
            for call in (lambda given: quarry.match(given, SMARTS), quarry.similar, quarry.ecfp4, quarry.read_library,
                         lambda given: quarry.cluster(given, 0.5), lambda given: quarry.pick(given, 1)):
                with self.subTest(molecules), self.assertRaisesRegex(error, message):
                    call(molecules)

    def test_messages_name_lists(self):
        with self.assertRaisesRegex(quarry.CapacityError, "^the list of molecules, rows 1 to 2: "):
            quarry.match(["c1ccccc1", "CCO"], SMARTS, device="emulated:1", device_bytes=1)

    def test_missing_ids(self):
        library = quarry.read_library(["C", "CC", "CCC", "CCCC"], ids=[None, float("nan"), 7.0, 7.5])
        self.assertEqual(library.ids, ["1", "2", "7", "7.5"])

    @unittest.skipIf(pandas is None, "no python3-pandas")
    def test_missing_values_of_pandas(self):
        texts = pandas.Series(["C", None, "CCC"], dtype="string")  # which has NA
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", quarry.RejectedWarning)
            library = quarry.read_library(texts, ids=pandas.Series([5, None, 6], dtype="Int64"))
        self.assertEqual(library.ids, ["5", "6"])
        self.assertEqual([(row.row, row.reason) for row in library.rejected], [(1, "there is no SMILES")])

    @unittest.skipIf(pandas is None, "no python3-pandas")
    def test_pandas(self):
        frame = pandas.DataFrame({"smiles": BAD})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", quarry.RejectedWarning)
            found = quarry.match(frame.smiles, SMARTS, ids=["a", "b", "c", "d", "e"])
            frame["cluster"] = quarry.cluster(frame["smiles"], 0.5).labels
            table = quarry.cluster(frame["smiles"], 0.5).to_pandas()
            self.assertEqual(quarry.pick(frame["smiles"], 2).to_pandas().smiles.tolist(), ["CCO", "c1ccccc1O"])
        self.assertEqual(found.to_pandas().id.tolist(), ["a", "d", "d"])
        self.assertEqual(frame.cluster.tolist(), [0, -1, -1, 1, -1])
        self.assertEqual(table.centroid.tolist(), ["1", "", "", "4", ""])
        with self.assertRaisesRegex(TypeError, "one column of molecules, not DataFrame"):
            quarry.match(frame, SMARTS)

    def test_columns(self):
        class Arrow:
            def to_pylist(self):
                return SMILES
        wanted = quarry.match(SMILES, SMARTS).to_csr().toarray()
        for molecules in (Arrow(), np.array(SMILES), tuple(SMILES), iter(SMILES), (each for each in SMILES)):
            np.testing.assert_array_equal(quarry.match(molecules, SMARTS).to_csr().toarray(), wanted)


class Similar(unittest.TestCase):
    def test_as_the_program(self):
        with support.files():
            run("similar", "--matrix", str(EXAMPLES / "drugs.smi"), "-o", "all.npy")
            run("similar", "--matrix", str(EXAMPLES / "drugs.smi"), "--threshold", "0.4", "-o", "some.npz")
            library = quarry.index(EXAMPLES / "drugs.smi", "drugs.qlib")
            for molecules in (library, "drugs.qlib", EXAMPLES / "drugs.smi", drugs()[0], quarry.read_library(drugs()[0])):
                whole = quarry.similar(molecules)
                self.assertEqual(whole.dtype, np.float32)
                np.testing.assert_array_equal(whole, np.load("all.npy"))
                some = quarry.similar(molecules, threshold=0.4)
                self.assertEqual((type(some), some.dtype), (sparse.csr_matrix, np.float32))
                np.testing.assert_array_equal(some.toarray(), sparse.load_npz("some.npz").toarray())
                rows = list(quarry.similar_blocks(molecules, threshold=0.4))
                np.testing.assert_array_equal(sparse.vstack(rows).toarray(), some.toarray())
                np.testing.assert_array_equal(np.concatenate(list(quarry.similar_blocks(molecules))), whole)
            two = quarry.similar(SMILES, library, k=3)
            self.assertEqual((two.shape, two.nnz), ((5, len(library)), 15))
            others = quarry.similar(SMILES, k=1)  # of one set, a molecule is not its own neighbour
            self.assertEqual((others.nnz, others.diagonal().tolist()), (5, [0] * 5))
            self.assertEqual(quarry.similar(SMILES, SMILES, k=1).diagonal().tolist(), [1] * 5)
            rows = [line.split("\t") for line in run("cluster", "drugs.qlib", "--threshold", "0.5").splitlines()[1:]]
            clusters = quarry.cluster(library, 0.5)
            self.assertEqual(clusters.labels.tolist(), [int(row[1]) - 1 for row in rows])
            self.assertEqual([clusters.ids[clusters.centroids[label]] for label in clusters.labels],
                             [row[2] for row in rows])
            picks = quarry.pick("drugs.qlib", 9, first=4)
            rows = [line.split("\t") for line in run("pick", "drugs.qlib", "-n", "9", "--first", "5").splitlines()]
            self.assertEqual([[smiles, id] for smiles, id in zip(picks.smiles, picks.ids)], rows)
            self.assertEqual([library.ids[i] for i in picks.indices], picks.ids)

    @unittest.skipIf(Chem is None, "no python3-rdkit")
    def test_ecfp4_as_rdkit(self):
        smiles, _ = drugs()
        wanted = fingerprints(smiles)
        bits = np.array([np.frombuffer(each.ToBitString().encode(), np.uint8) == ord("1") for each in wanted])
        with support.files():
            library = quarry.index(smiles, "drugs.qlib")
            for molecules in (smiles, [Chem.MolFromSmiles(text) for text in smiles], library, EXAMPLES / "drugs.smi"):
                found = quarry.ecfp4(molecules)
                self.assertEqual((found.dtype, found.shape), (bool, (len(smiles), 2048)))
                np.testing.assert_array_equal(found, bits)
            stored = quarry.index(smiles, "stored.qlib", ecfp4=True)
            for call in (lambda given: quarry.similar(given, metric="ecfp4"),
                         lambda given: quarry.cluster(given, 0.4, metric="ecfp4").labels,
                         lambda given: quarry.pick(given, 9, metric="ecfp4").indices):
                np.testing.assert_array_equal(call(stored), call(library))
            for given, metric, number in ((stored, "ecfp4", len(smiles)), (stored, "lingo", len(smiles)),
                                          (library, "ecfp4", 0), (library, "lingo", len(smiles))):
                self.assertEqual(given.num_stored(metric), number)
        packed = quarry.ecfp4(smiles, packed=True, threads=1)
        self.assertEqual((packed.dtype, packed.shape), (np.uint8, (len(smiles), 256)))
        np.testing.assert_array_equal(packed, np.packbits(bits, axis=1, bitorder="little"))
        self.assertEqual([DataStructs.BitVectToBinaryText(each) for each in wanted], [row.tobytes() for row in packed])
        found = quarry.similar(smiles[:50], smiles, metric="ecfp4")
        for row in range(50):
            np.testing.assert_allclose(found[row], DataStructs.BulkTanimotoSimilarity(wanted[row], wanted), rtol=1e-6)

    def test_rejected(self):
        with self.assertWarns(quarry.RejectedWarning):
            whole = quarry.similar(BAD, SMILES)
        np.testing.assert_array_equal(np.isnan(whole).all(axis=1), [False, True, True, False, True])
        np.testing.assert_array_equal(whole[[0, 3]], quarry.similar(["CCO", "c1ccccc1O"], SMILES))
        with self.assertWarns(quarry.RejectedWarning):
            some = quarry.similar(SMILES, BAD, threshold=0.1)
        np.testing.assert_array_equal(some.toarray()[:, [0, 3]],
                                      quarry.similar(SMILES, ["CCO", "c1ccccc1O"], threshold=0.1).toarray())
        with self.assertWarns(quarry.RejectedWarning):
            clusters, library = quarry.cluster(BAD, 0.5), quarry.read_library(BAD)
        self.assertEqual((clusters.labels.tolist(), clusters.centroids.tolist()), ([0, -1, -1, 1, -1], [0, 3]))
        self.assertEqual([row.row for row in clusters.rejected], [1, 2, 4])
        with self.assertWarns(quarry.RejectedWarning):
            picks = quarry.pick(BAD, 2, first=3)
        self.assertEqual((picks.indices.tolist(), [row.row for row in picks.rejected]), ([3, 0], [1, 2, 4]))
        with self.assertWarns(quarry.RejectedWarning):
            bits = quarry.ecfp4(BAD)
        self.assertEqual((bits.shape, bits.any(axis=1).tolist()), ((5, 2048), [True, False, False, True, False]))
        with warnings.catch_warnings():  # it was said when the library was made
            warnings.simplefilter("error")
            self.assertEqual(quarry.cluster(library, 0.5).labels.tolist(), [0, -1, -1, 1, -1])
            self.assertEqual(quarry.pick(library, 2).indices.tolist(), [0, 3])
            self.assertEqual(quarry.match(library, ["O"]).to_csr().toarray()[:, 0].tolist(), [1, 0, 0, 1, 0])
            self.assertEqual(quarry.similar(library, normalize="canonical").shape, (5, 5))
        with self.assertRaisesRegex(quarry.InputError, "cannot be 1, which was rejected"):
            quarry.pick(library, 1, first=1)

    def test_options(self):
        self.assertEqual(quarry.similar(["OCC"], ["CCO"], normalize="canonical")[0, 0], 1)
        self.assertEqual(quarry.similar(["bad(xx"], ["bad(xx"], normalize="as-is")[0, 0], 1)
        with self.assertWarns(quarry.RejectedWarning):
            self.assertTrue(np.isnan(quarry.similar(["C\0", "C\0\0"], ["CCCC"], normalize="as-is")).all())
        self.assertEqual(quarry.pick(SMILES, 5, threshold=0.1).indices.tolist(), [0, 1])
        for options, message in (({"metric": "x"}, "lingo, ecfp4"), ({"normalize": "x"}, "checked, as-is, canonical"),
                                 ({"lingo_length": 9}, "9"), ({"threshold": 2}, "2"), ({"k": -1}, "-1"),
                                 ({"threads": -1}, "threads")):
            with self.subTest(options), self.assertRaisesRegex(quarry.InputError, message):
                quarry.similar(SMILES, **options)
        for threshold in (0, 1.5):
            with self.assertRaisesRegex(quarry.InputError, "above 0 and at most 1"):
                quarry.cluster(SMILES, threshold)
        with self.assertRaisesRegex(quarry.InputError, "6 of 5"):
            quarry.pick(SMILES, 6)

    def test_progress(self):
        for call, last in ((lambda **options: quarry.similar(SMILES, **options), 25), (
                lambda **options: quarry.similar(SMILES, threshold=0.5, **options), 25), (
                lambda **options: quarry.cluster(SMILES, 0.5, **options), 10), (
                lambda **options: quarry.pick(SMILES, 3, **options), 3), (
                lambda **options: quarry.pick(SMILES, 5, threshold=0.1, **options), 2), (
                lambda **options: quarry.ecfp4(SMILES, **options), 5), (
                lambda **options: quarry.read_library(SMILES, **options), 5)):
            calls = []
            call(progress=lambda *each: calls.append(each))
            self.assertEqual(calls[-1], (last, last))

            def stop(done, total):
                raise KeyError("enough")
            with self.assertRaisesRegex(KeyError, "enough"):
                call(progress=stop)


class Libraries(unittest.TestCase):
    def test_made(self):
        with support.files(rows_csv="name,smiles\nx,CCO\ny,bad(\nz,CCN\n"):
            with self.assertWarnsRegex(quarry.RejectedWarning, "1 of 3"):
                library = quarry.index("rows.csv", "rows.qlib")
            self.assertEqual((library.ids, library.records, len(library)), (["x", "z"], ["CCO", "CCN"], 2))
            self.assertEqual((library.report, library.num_atoms, library.num_bonds), ((3, 2, 1), 6, 4))
            self.assertEqual(library.provenance["source"], "rows.csv")
            self.assertEqual((library.rejected[0].line, library.rejected[0].id, library.rejected[0].row), (3, "y", None))
            library.verify()
            quarry.read_library(["CCO", "C"], ids=["p", "q r"], explicit_hydrogens=True).write("two.qlib")
            two = quarry.read_library("two.qlib")
            self.assertEqual((two.ids, two.explicit_hydrogens, two.num_atoms), (["p", "q r"], True, 14))
            self.assertEqual(quarry.index(SMILES, "list.qlib").provenance["source"], "Python")
            for wrong, message in ((lambda: quarry.index("two.qlib", "three.qlib"), "is a library already"),
                                   (lambda: quarry.index(SMILES, ""), "the path is empty"),
                                   (lambda: quarry.index(SMILES, "x\0y"), "NUL"),
                                   (lambda: quarry.read_library("two.qlib", format="smi"), "is for text files"),
                                   (lambda: quarry.read_library(SMILES, ids=["x"]), "5 molecules and 1 ids"),
                                   (lambda: quarry.match(EXAMPLES / "molecules.smi", SMARTS, ids=["x"]), "ids are for a list"),
                                   (lambda: quarry.index(EXAMPLES / "molecules.smi", "x.qlib", ids=["x"]), "ids are for a list"),
                                   (lambda: quarry.read_library("rows.qlib", explicit_hydrogens=True), "index")):
                with self.assertRaisesRegex(quarry.InputError, message):
                    wrong()
            self.assertFalse(pathlib.Path("three.qlib").exists())
            pathlib.Path("bad.qlib").write_bytes(b"QUARRYLB")
            with self.assertRaises(quarry.InputError):
                quarry.read_library("bad.qlib")

    def test_ids_and_notes(self):
        with support.files(rows_csv="smiles,Catalog_ID,x\nCCO,Z1,5\nCCN,,6\n", lines_smi="CCO a\tb |&1:2|\n",
                           head_smi="smiles\tname\tnumber\nCCO\tethanol\t7\n"):
            notes = quarry.read_library("rows.csv").notes
            self.assertEqual(notes, quarry.ReadNotes("column 'Catalog_ID'", 1, 0, False))
            self.assertEqual(pickle.loads(pickle.dumps(quarry.read_library("rows.csv"))).notes, notes)
            self.assertEqual(quarry.index("rows.csv", "rows.qlib").notes.ids, "column 'Catalog_ID'")
            self.assertEqual(quarry.read_library("rows.qlib").notes, quarry.ReadNotes())
            self.assertEqual(quarry.read_library(SMILES, ids=list("abcde")).notes, quarry.ReadNotes())
            self.assertTrue(quarry.read_library("lines.smi", id_column="x").notes.id_column_unused)
            whole = quarry.read_library("lines.smi", id_rest=True)
            self.assertEqual((whole.ids, whole.notes.extensions), (["a b |&1:2|"], 0))
            self.assertEqual(quarry.read_library("lines.smi").ids, ["a"])
            self.assertEqual(quarry.read_library("lines.smi").notes.extensions, 0)
            for call in (lambda **options: quarry.match("lines.smi", ["C"], **options).ids,
                         lambda **options: next(quarry.match_blocks("lines.smi", ["C"], **options)).ids,
                         lambda **options: quarry.cluster("lines.smi", 0.5, **options).ids,
                         lambda **options: quarry.pick("lines.smi", 1, **options).ids,
                         lambda **options: quarry.index("lines.smi", "lines.qlib", **options).ids):
                self.assertEqual((call(id_rest=True), call()), (["a b |&1:2|"], ["a"]))
            for call in (quarry.similar, quarry.ecfp4, quarry.read_library, quarry.match_blocks):
                arguments = (["C"],) if call is quarry.match_blocks else ()
                with self.assertRaisesRegex(quarry.InputError, "id_column and id_rest exclude each other"):
                    tuple(call("lines.smi", *arguments, id_rest=True, id_column="x"))
            with self.assertRaisesRegex(quarry.InputError, "id_rest is for text files, but 'rows.qlib' is a library"):
                quarry.read_library("rows.qlib", id_rest=True)

    def test_max_atoms(self):
        chains = ["C" * 3, "C" * 4]
        with support.files(chains_smi="".join(f"{chain} c{len(chain)}\n" for chain in chains)):
            for molecules in (chains, "chains.smi"):
                for call in (lambda **options: quarry.read_library(molecules, **options),
                             lambda **options: quarry.index(molecules, "chains.qlib", **options),
                             lambda **options: quarry.match(molecules, ["C"], **options),
                             lambda **options: quarry.cluster(molecules, 0.5, **options),
                             lambda **options: quarry.cluster(molecules, 0.5, normalize="as-is", **options),
                             lambda **options: quarry.pick(molecules, 1, **options)):
                    with self.assertWarnsRegex(quarry.RejectedWarning, "has 4 atoms; at most 3 are read"):
                        self.assertEqual(len(call(max_atoms=3).rejected), 1)
                    for most in (0, 4):
                        self.assertEqual(call(max_atoms=most).rejected, [])
                    with self.assertRaisesRegex(quarry.InputError, "max_atoms must be 0"):
                        call(max_atoms=-1)
                for call in (quarry.similar, quarry.ecfp4):
                    with self.assertWarnsRegex(quarry.RejectedWarning, "has 4 atoms; at most 3 are read"):
                        call(molecules, max_atoms=3)
                self.assertEqual(len(tuple(quarry.match_blocks(molecules, ["C"], max_atoms=3))[-1].rejected), 1)
                rows = np.concatenate(list(quarry.similar_blocks(molecules, max_atoms=3)))
                self.assertEqual(rows.shape[0], 1)
            # Hydrogens that are added do not count, and the default is that of the program.
            self.assertEqual(quarry.read_library(chains, explicit_hydrogens=True, max_atoms=4).rejected, [])
            quarry.index("chains.smi", "chains.qlib")
            with self.assertRaisesRegex(quarry.InputError, "max_atoms is for text files"):
                quarry.read_library("chains.qlib", max_atoms=3)
            fragments = ".".join(["C"] * 10_000)
            self.assertEqual(len(quarry.match([fragments], ["C"])), 1)
            with self.assertWarnsRegex(quarry.RejectedWarning, "has 10001 atoms; at most 10000"):
                quarry.match([fragments + ".C"], ["C"])

    def test_sdf(self):
        with support.files():
            run("match", str(EXAMPLES / "drugs.smi"), "-q", "*", "-o", "drugs.sdf")
            library = quarry.read_library("drugs.sdf")
            self.assertEqual(library.provenance["format"], "sdf")
            np.testing.assert_array_equal(quarry.similar(library), quarry.similar(drugs()[0], normalize="canonical"))
            np.testing.assert_array_equal(quarry.ecfp4("drugs.sdf"), quarry.ecfp4(drugs()[0]))


if __name__ == "__main__":
    support.main()
