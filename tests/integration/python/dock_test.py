"""dock: the same numbers as the program, poses as arrays, boxes and pockets, rows that cannot be docked, errors."""
import csv
import pathlib
import subprocess
import unittest

import numpy as np

import quarry
from quarry import dock
import support

try:
    from rdkit import Chem
except ImportError:
    Chem = None

POCKET, LIGANDS = (str(support.REPOSITORY / "examples" / name) for name in ("pocket.pdb", "ligands.smi"))
BOX = dock.Box((0.0, 0.0, 0.0), (16.0, 16.0, 16.0))
FAST = {"effort": "screen", "restarts": 32, "max_poses": 8, "poses": 3}


def run_program(*arguments):
    """Rows of the table as dictionaries."""
    done = subprocess.run([support.PROGRAM, "dock", *arguments, "--quiet", "--explain"], capture_output=True, text=True,
                          check=True)
    return list(csv.DictReader(done.stdout.splitlines(), delimiter="\t"))


class Docking(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.receptor = dock.Receptor(POCKET)
        cls.results = list(dock.dock(cls.receptor, LIGANDS, BOX, **FAST))

    def test_receptor(self):
        self.assertEqual(self.receptor.positions.shape, (len(self.receptor), 3))
        self.assertEqual((self.receptor.positions.dtype, self.receptor.elements.dtype), (np.float64, np.uint8))
        self.assertEqual(len(self.receptor.names), len(self.receptor))
        self.assertRegex(self.receptor.names[0], "VAL.*N")
        self.assertEqual((self.receptor.num_waters, self.receptor.missing_atoms), (0, []))
        self.assertEqual(repr(self.receptor), f"Receptor({len(self.receptor)} atoms)")

    def test_same_as_program(self):
        rows = run_program(POCKET, LIGANDS, "--center", "0,0,0", "--size", "16,16,16", "--effort", "screen", "--restarts", "32",
                           "--max-poses", "8", "--poses", "3")
        self.assertEqual([row["id"] for row in rows], [result.id for result in self.results])
        for row, result in zip(rows, self.results):
            self.assertEqual((row["status"], int(row["poses"])), (result.status, len(result.poses)))
            self.assertEqual(int(row["torsions"]), result.torsions)
            best = result.poses[0]
            self.assertEqual([float(row[name]) for name in ("score", "inter", "intra", "n_tors")],
                             [round(number, 4) + 0 for number in (best.score, best.inter, best.intra, result.n_tors)])

    def test_poses(self):
        for result in self.results:
            self.assertTrue(1 <= len(result.poses) <= 3)
            heavy = result.elements > 1
            energies = [pose.inter + pose.intra for pose in result.poses]
            self.assertEqual(energies, sorted(energies))
            for pose in result.poses:
                self.assertEqual((pose.positions.shape, pose.positions.dtype), ((len(result.elements), 3), np.float64))
                self.assertTrue((np.abs(pose.positions[heavy]) < 9).all())
            for one in range(len(result.poses)):
                for other in range(one):
                    apart = result.poses[one].positions[heavy] - result.poses[other].positions[heavy]
                    self.assertGreaterEqual(np.sqrt((apart**2).sum(1).mean()), 0.99)

    def test_scored_again(self):
        with support.files():
            text = "".join(result.to_sdf(pose) for result in self.results for pose in result.poses)
            pathlib.Path("poses.sdf").write_text(text)
            again = list(dock.score(self.receptor, "poses.sdf"))
            poses = [pose for result in self.results for pose in result.poses]
            self.assertEqual(len(again), len(poses))
            for before, after in zip(poses, again):
                self.assertAlmostEqual(before.score, after.poses[0].score, delta=0.02)
            for before, after in zip(again, dock.score(self.receptor, "poses.sdf", minimize=True)):
                self.assertLessEqual(after.poses[0].inter + after.poses[0].intra,
                                     before.poses[0].inter + before.poses[0].intra + 1e-3)
            weighted, = {round(result.poses[0].score - result.poses[0].inter / (1 + 0.1 * result.n_tors), 9)
                         for result in dock.score(self.receptor, "poses.sdf", torsion_weight=0.1)}
            self.assertEqual(weighted, 0)
            around = dock.box_around("poses.sdf", 4)
            lowest = min(result.poses[0].positions[result.elements > 1][:, 0].min() for result in again)
            self.assertAlmostEqual(around.center[0] - around.size[0] / 2 + 4, lowest)
        self.assertIn("ROOT", self.results[0].to_pdbqt(self.results[0].poses[0]))

    def test_boxes_and_pockets(self):
        self.assertEqual(dock.box_around([[0, 0, 0], [2, 4, 6]], pad=1), ((1, 2, 3), (4, 6, 8)))
        with support.files(box_json='{"center": [1, 2, 3], "size": [4, 5, 6]}'):
            self.assertEqual(dock.read_box("box.json"), ((1, 2, 3), (4, 5, 6)))
        pocket = dock.find_pockets(self.receptor)[0]
        self.assertLess(np.linalg.norm(pocket.center), 3)
        self.assertGreater(pocket.volume, 50)

    def test_rejected(self):
        with support.files(bad_smi="OB(O)C boron\nCCO ethanol\n"):
            calls = []
            bad, good = dock.dock(self.receptor, "bad.smi", BOX, **FAST, progress=lambda *numbers: calls.append(numbers))
            self.assertEqual((bad.status, bad.poses, good.status), ("rejected", (), "ok"))
            self.assertTrue(bad.stage and "B" in bad.reason)
            self.assertEqual(calls[0][0], 2)
            with self.assertRaisesRegex(quarry.InputError, "boron"):
                _ = bad.elements

    def test_reading(self):
        with support.files(a_smi="CCO ethanol\tx\nCCCO propanol\n", a_csv="smiles,number,name\nCCO,7,ethanol\n"):
            small, large = dock.dock(self.receptor, "a.smi", BOX, **FAST, max_atoms=3, id_rest=True)
            self.assertEqual((small.id, small.status), ("ethanol x", "ok"))
            self.assertEqual(large.reason, "the molecule has 4 atoms; at most 3 are read")
            self.assertEqual([result.id for result in dock.dock(self.receptor, "a.smi", BOX, **FAST)], ["ethanol", "propanol"])
            self.assertEqual([result.id for result in dock.dock(self.receptor, "a.csv", BOX, **FAST, id_column="number")], ["7"])
            small, large = dock.score(self.receptor, "a.smi", max_atoms=3, id_rest=True)
            self.assertEqual((small.id, small.stage, large.stage), ("ethanol x", "perceive", "read"))

    def test_lists(self):
        texts = ["CC(C)Cc1ccccc1", "OCC(N)C=O"]
        with support.files(a_smi="CC(C)Cc1ccccc1 p\nOCC(N)C=O q\n"):
            of_file = list(dock.dock(self.receptor, "a.smi", BOX, **FAST))
        of_list = list(dock.dock(self.receptor, iter(texts), BOX, **FAST, ids=["p", "q"]))
        self.assertEqual([(result.id, result.poses[0].score) for result in of_list],
                         [(result.id, result.poses[0].score) for result in of_file])
        first, missing = dock.dock(self.receptor, [texts[0], None], BOX, **FAST)
        self.assertEqual((first.id, missing.row, missing.status, missing.reason), ("1", 1, "rejected", "there is no SMILES"))

    @unittest.skipIf(Chem is None, "no python3-rdkit")
    def test_rdkit_molecules(self):
        molecules = [Chem.MolFromMolBlock(result.to_sdf(pose), removeHs=False)
                     for result in self.results[:2] for pose in result.poses]
        poses = [pose for result in self.results[:2] for pose in result.poses]
        scored = list(dock.score(self.receptor, molecules, threads=2))
        self.assertEqual([result.id for result in scored], [str(1 + row) for row in range(len(poses))])
        for molecule, pose, result in zip(molecules, poses, scored):
            self.assertEqual(molecule.GetNumAtoms(), len(result.elements))
            self.assertLess(np.abs(result.poses[0].positions - pose.positions).max(), 1e-3)
            self.assertAlmostEqual(result.poses[0].score, pose.score, delta=0.02)
        named, missing = dock.score(self.receptor, [molecules[0], None], ids=["lead", "gone"])
        self.assertEqual((named.id, named.status), ("lead", "ok"))
        self.assertEqual((missing.id, missing.status, missing.reason), ("gone", "rejected", "there is no molecule"))
        flat = Chem.MolFromSmiles("CC(C)Cc1ccccc1")
        docked, = dock.dock(self.receptor, [flat], BOX, **FAST)
        self.assertEqual(docked.poses[0].score, next(dock.dock(self.receptor, [Chem.MolToSmiles(flat)], BOX, **FAST)).poses[0].score)
        for wrong in (flat, "CCO"):
            with self.assertRaisesRegex(quarry.InputError, "row 1 has no 3D"):
                dock.score(self.receptor, [molecules[0], wrong])
        with self.assertRaisesRegex(TypeError, "row 1, not int"):
            dock.score(self.receptor, [molecules[0], 1])

    @unittest.skipIf(Chem is None, "no python3-rdkit")
    def test_rows_of_odd_molecules_stay_in_place(self):
        good = Chem.MolFromMolBlock(self.results[0].to_sdf(self.results[0].poses[0]), removeHs=False)
        named, far, lost, aliased = (Chem.Mol(good) for _ in range(4))
        named.SetProp("_Name", "a\n$$$$\nb")
        far.GetConformer().SetAtomPosition(1, [0, 1e5, 0])
        lost.GetConformer().SetAtomPosition(0, [float("nan"), 0, 0])
        aliased.GetAtomWithIdx(0).SetProp("molFileAlias", "$$$$")
        query = Chem.MolFromSmarts("c1ccccc1[F,Cl]")
        query.AddConformer(Chem.Conformer(7))
        for atom in range(7):
            query.GetConformer().SetAtomPosition(atom, [1.5 * atom, 0.5, atom % 2])
        query.GetConformer().Set3D(True)
        results = list(dock.score(self.receptor, [named, far, lost, aliased, query, good], ids=["$$$$", "b", "c", "d", "e", "f g"]))
        self.assertEqual([result.id for result in results], ["$$$$", "b", "c", "d", "e", "f g"])
        self.assertEqual([result.status for result in results], ["ok", *["rejected"] * 4, "ok"])
        self.assertEqual(results[0].poses[0].score, results[5].poses[0].score)
        for result, reason in zip(results[1:], ("coordinates of atom 2", "coordinates of atom 1", "ends a record", "atom 7")):
            self.assertIn(reason, result.reason)
        self.assertNotEqual(results[0], results[5])
        self.assertEqual(len({*results}), 6)

    def test_errors(self):
        for error, message, wrong in (
                (quarry.InputError, "none.pdb", lambda: dock.Receptor("none.pdb")),
                (quarry.InputError, "none.sdf", lambda: dock.dock(self.receptor, "none.sdf", BOX)),
                (quarry.InputError, "'fast'", lambda: dock.dock(self.receptor, LIGANDS, BOX, effort="fast")),
                (quarry.InputError, "'ad4'", lambda: dock.score(self.receptor, LIGANDS, scoring="ad4")),
                (quarry.InputError, r"\[atoms, 3\]", lambda: dock.box_around([1.0, 2.0])),
                (quarry.InputError, "box", lambda: dock.dock(self.receptor, LIGANDS, dock.Box((99, 0, 0), (9, 9, 9)))),
                (quarry.InputError, "three numbers", lambda: dock.dock(self.receptor, LIGANDS, (0, 0, 0))),
                (quarry.InputError, "finite", lambda: dock.dock(self.receptor, LIGANDS, ((np.nan, 0, 0), (9, 9, 9)))),
                (quarry.InputError, "ids are for a list", lambda: dock.dock(self.receptor, LIGANDS, BOX, ids=["a"])),
                (quarry.InputError, "2 molecules and 1 ids", lambda: dock.dock(self.receptor, ["C", "N"], BOX, ids=["a"])),
                (quarry.InputError, "seed", lambda: dock.dock(self.receptor, LIGANDS, BOX, seed=-1)),
                (quarry.InputError, "poses", lambda: dock.dock(self.receptor, LIGANDS, BOX, poses=1.5)),
                (TypeError, "str", lambda: dock.dock(self.receptor, np.array("CCO"), BOX)),
                (TypeError, "row 0", lambda: dock.dock(self.receptor, [3], BOX)),
                (TypeError, "list", lambda: dock.dock(self.receptor, 3, BOX)),
                (TypeError, "quarry.dock.Receptor, not str", lambda: dock.dock("protein.pdb", ["CCO"], BOX)),
                (TypeError, "quarry.dock.Receptor, not str", lambda: dock.score("protein.pdb", ["CCO"])),
                (TypeError, "quarry.dock.Receptor, not str", lambda: dock.find_pockets("protein.pdb"))):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                wrong()

    def test_enrichment(self):
        perfect = dock.enrichment([-9, -8, -3, -2], [True, True, False, False])
        self.assertEqual((perfect.actives, perfect.decoys, perfect.auc, perfect.roc[-1]), (2, 2, 1, (1, 1)))


if __name__ == "__main__":
    support.main()
