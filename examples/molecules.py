"""Alerts, clusters and a diverse subset of the sample molecules, from Python."""
import pathlib

import quarry

examples = pathlib.Path(__file__).parent
library = quarry.read_library(examples / "drugs.smi")
alerts = quarry.match(library, examples / "alerts.smarts").to_csr()
print(library)
print("molecules without an alert:", (alerts.sum(axis=1) == 0).sum())

clusters = quarry.cluster(library, threshold=0.6)
print("clusters:", len(clusters.centroids))

picks = quarry.pick(library, 5)
print("diverse:", ", ".join(picks.ids))
