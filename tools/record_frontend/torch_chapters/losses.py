"""Losses."""

import torch

from .operands import d, f, grid, i, t

F = "nn.functional."
LOOSE = (4e-6, "sums of float32 in another order")


def record(r):
    x, y = grid(3, 4), grid(3, 4, start=-2.0, step=0.25)
    p, q = torch.sigmoid(x).round(decimals=3), (y > -1).float()
    for name in ("l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss"):
        for reduction in ("mean", "sum", "none"):
            r.record(F + name, (x, y), {"reduction": reduction}, tolerance=LOOSE)
        r.call(F + name, x.double(), y.double())
        r.call(F + name, x, y, reduction="other")
    r.call(F + "huber_loss", x, y, delta=0.5)
    r.call(F + "smooth_l1_loss", x, y, beta=0.25)
    r.call(F + "mse_loss", x, y, size_average=None)
    r.record(F + "mse_loss", (x, y), {"weight": p}, tolerance=LOOSE)
    for reduction in ("mean", "sum", "none"):
        how = {"reduction": reduction}
        r.record(F + "binary_cross_entropy", (p, q), how, tolerance=LOOSE)
        r.record(F + "binary_cross_entropy", (p, q), {"weight": f(1.0, 2.0, 0.5, 1.0)} | how, tolerance=LOOSE)
        r.record(F + "binary_cross_entropy_with_logits", (x, q), how, tolerance=LOOSE)
        r.record(F + "binary_cross_entropy_with_logits", (x, q), {"pos_weight": f(1.0, 2.0, 0.5, 1.0)} | how, tolerance=LOOSE)
        r.record(F + "poisson_nll_loss", (x, y + 3), how, tolerance=LOOSE)
        r.record(F + "kl_div", (torch.log_softmax(x, 1).round(decimals=3), p), how, tolerance=LOOSE)
        r.record(F + "soft_margin_loss", (x, 2 * q - 1), how, tolerance=LOOSE)
        r.record(F + "hinge_embedding_loss", (x, 2 * q - 1), how, tolerance=LOOSE)
        r.record(F + "gaussian_nll_loss", (x, y, p), how, tolerance=LOOSE)
        r.record(F + "margin_ranking_loss", (x[0], y[0], f(1.0, -1.0, 1.0, -1.0)), {"margin": 0.5} | how, tolerance=LOOSE)
        r.record(F + "cosine_embedding_loss", (x, y, f(1.0, -1.0, 1.0)), how, tolerance=LOOSE)
        r.record(F + "triplet_margin_loss", (x, y, x + 0.5), how, tolerance=LOOSE)
        r.record(F + "multi_margin_loss", (x, i(0, 3, 1)), how, tolerance=LOOSE)
        r.record(F + "multilabel_margin_loss", (x, t([[0, 2, -1, 1], [3, -1, 0, 0], [-1, 0, 1, 2]])), how, tolerance=LOOSE)
        r.record(F + "multilabel_soft_margin_loss", (x, q), how, tolerance=LOOSE)
        for keywords in ({}, {"weight": f(1.0, 2.0, 0.5, 1.5)}, {"ignore_index": 3}):
            r.record(F + "nll_loss", (torch.log_softmax(x, 1).round(decimals=3), i(0, 3, 1)), keywords | how, tolerance=LOOSE)
            r.record(F + "cross_entropy", (x, i(0, 3, 1)), keywords | how, tolerance=LOOSE)
        r.record(F + "cross_entropy", (x, torch.softmax(y, 1).round(decimals=3)), how, tolerance=LOOSE)
        r.record(F + "cross_entropy", (x, i(0, 3, 1)), {"label_smoothing": 0.25} | how, tolerance=LOOSE)
        lp = torch.log_softmax(grid(4, 2, 3), 2).round(decimals=3)
        r.record(F + "ctc_loss", (lp, t([[1, 2], [2, 1]]), i(4, 3), i(2, 1)), how, tolerance=(1e-5, "sums of float32 in another order"))
    r.call(F + "binary_cross_entropy", f(0.0, 1.0), f(1.0, 1.0))
    r.call(F + "binary_cross_entropy", f(2.0), f(1.0))
    r.call(F + "poisson_nll_loss", p, q, log_input=False, full=True)
    r.call(F + "kl_div", x, y, log_target=True, reduction="batchmean")
    r.call(F + "gaussian_nll_loss", x.double(), y.double(), p.double(), full=True)
    r.call(F + "triplet_margin_loss", x, y, x + 0.5, margin=2.0, p=1, swap=True)
    r.call(F + "multi_margin_loss", x, i(0, 3, 1), p=2, margin=0.5)
    r.call(F + "cosine_embedding_loss", x, y, f(1.0, -1.0, 1.0), margin=0.25)
    r.record(F + "cross_entropy", (grid(2, 3, 2), t([[0, 2], [1, 1]])), tolerance=LOOSE)
    r.record(F + "cross_entropy", (grid(3), t(1)), tolerance=LOOSE)
    r.call(F + "cross_entropy", x, i(0, 7, 1))
    r.call(F + "cross_entropy", x, i(0, 1))
    r.record(F + "nll_loss", (grid(2, 3, 2), t([[0, 2], [1, 1]])), tolerance=LOOSE)
    r.call(F + "nll_loss", x, i(0, 1))
    r.call(F + "mse_loss", x, y[:2])
