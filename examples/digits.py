#!/usr/bin/env python3
"""Recognises hand-written digits through scikit-learn, on two backends: one program, and no code for either.

    python3 examples/digits.py [BACKEND ...]      (ndarray and jit by default)

Needs `pip install ./bindings/python scikit-learn`. The images are scaled, projected on their principal
components and classified, all on the backend's own arrays: scikit-learn sees the Array API standard.
"""

import os
import sys
import time
from pathlib import Path

os.environ.setdefault("SCIPY_ARRAY_API", "1")

import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import accuracy_score
from sklearn.preprocessing import MinMaxScaler

import ivyrs

TRAIN = 1438
DATA = Path(__file__).parent / "data"


def score(xp, images, labels):
    """The share of right answers on the images that were not trained on."""
    images = xp.asarray(images, dtype=xp.float32)
    labels = xp.asarray(labels, dtype=xp.int64)
    scaler = MinMaxScaler().fit(images[:TRAIN, ...])
    reducer = PCA(n_components=30, svd_solver="full").fit(scaler.transform(images[:TRAIN, ...]))
    reduced = reducer.transform(scaler.transform(images))
    classifier = LinearDiscriminantAnalysis(solver="svd").fit(reduced[:TRAIN, ...], labels[:TRAIN])
    guesses = classifier.predict(reduced[TRAIN:, ...])
    assert guesses.__array_namespace__() is xp, "the answers are arrays of the backend"
    return float(accuracy_score(labels[TRAIN:], guesses))


def main(backends):
    images = np.load(DATA / "digits_images.npy").reshape(-1, 64)
    labels = np.load(DATA / "digits_labels.npy")
    print(f"{TRAIN} images to learn from, {len(labels) - TRAIN} to recognise")
    scores = set()
    with sklearn.config_context(array_api_dispatch=True):
        for backend in backends:
            begin = time.perf_counter()
            right = score(ivyrs.namespace(backend), images, labels)
            print(f"{backend:10} {right:.1%} right, {time.perf_counter() - begin:.2f} s")
            scores.add(round(right, 3))
    if min(scores) < 0.85 or max(scores) - min(scores) > 0.01:
        sys.exit("the backends should agree, and be right")


if __name__ == "__main__":
    main(sys.argv[1:] or ["ndarray", "jit"])
