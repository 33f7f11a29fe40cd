"""Losses."""

import paddle

from . import f4, f8, i4, i8, ramp

REDUCTIONS = ("mean", "sum", "none")


def record(r):
    x, y = f4([[0.5, 1.5], [-1.0, 0.25]]), f4([[1.0, 1.0], [0.0, 2.0]])
    p, q = f4([[0.25, 0.75], [0.5, 0.125]]), f4([[0.0, 1.0], [1.0, 0.5]])
    signs = f4([[1.0, -1.0], [-1.0, 1.0]])
    r.call("nn.functional.square_error_cost", x, y)
    for reduction in REDUCTIONS:
        for name in ("mse_loss", "l1_loss", "smooth_l1_loss"):
            r.call(f"nn.functional.{name}", x, y, reduction=reduction)
        r.call("nn.functional.kl_div", x, p, reduction)
        r.call("nn.functional.binary_cross_entropy", p, q, reduction=reduction)
        r.call("nn.functional.binary_cross_entropy_with_logits", x, q, reduction=reduction)
        r.call("nn.functional.margin_ranking_loss", x, y, signs, 0.25, reduction)
        r.call("nn.functional.hinge_embedding_loss", x, signs, reduction=reduction)
        r.call("nn.functional.soft_margin_loss", x, signs, reduction)
        r.call("nn.functional.poisson_nll_loss", x, y, reduction=reduction)
        r.call("nn.functional.gaussian_nll_loss", x, y, f4([[1.0, 0.5], [2.0, 0.25]]), reduction=reduction)
        r.call("nn.functional.sigmoid_focal_loss", x, q, reduction=reduction)
        r.call("nn.functional.cosine_embedding_loss", x, y, f4([1.0, -1.0]), 0.25, reduction)
        r.call("nn.functional.triplet_margin_loss", x, y, p, reduction=reduction)
        r.call("nn.functional.cross_entropy", ramp((2, 3)), i8([0, 2]), reduction=reduction)
        r.call("nn.functional.nll_loss", ramp((2, 3)), i8([0, 2]), reduction=reduction)
    r.call("nn.functional.smooth_l1_loss", x, y, delta=0.5)
    r.call("nn.functional.smooth_l1_loss", x, y, delta=0.5, is_huber=False)
    r.call("nn.functional.kl_div", x, x, "batchmean", True)
    r.call("nn.functional.binary_cross_entropy", p, q, f4([1.0, 2.0]))
    r.call("nn.functional.binary_cross_entropy_with_logits", x, q, f4([1.0, 2.0]), pos_weight=f4([3.0, 1.0]))
    r.call("nn.functional.cross_entropy", ramp((2, 3)), i8([0, -100]))
    r.call("nn.functional.cross_entropy", ramp((2, 3)), i8([[0], [2]]), weight=f4([1.0, 2.0, 3.0]))
    r.call("nn.functional.cross_entropy", ramp((2, 2)), q, soft_label=True)
    r.call("nn.functional.cross_entropy", ramp((2, 3)), i8([0, 2]), label_smoothing=0.1)
    r.call("nn.functional.cross_entropy", p, i8([0, 1]), use_softmax=False)
    r.call("nn.functional.nll_loss", ramp((2, 3)), i8([0, 2]), f4([1.0, 2.0, 3.0]), 2)
    r.call("nn.functional.softmax_with_cross_entropy", ramp((2, 3)), i8([[0], [2]]))
    r.call("nn.functional.softmax_with_cross_entropy", ramp((2, 2)), q, soft_label=True, return_softmax=True)
    r.call("nn.functional.log_loss", f4([[0.25], [0.75]]), f4([[0.0], [1.0]]))
    r.call("nn.functional.log_loss", f4([[0.25]]), f4([[0.5]]), epsilon=0.1)
    r.call("nn.functional.dice_loss", f4([[0.25, 0.75], [0.5, 0.5]]), i8([[0], [1]]))
    r.call("nn.functional.label_smooth", q)
    r.call("nn.functional.label_smooth", q, epsilon=0.5)
    r.call("nn.functional.label_smooth", q, f4([[0.25, 0.75]]))
    r.call("nn.functional.poisson_nll_loss", f4([0.5, 1.0]), f4([1.0, 3.0]), False, True)
    r.call("nn.functional.gaussian_nll_loss", f8([0.5]), f8([1.0]), f8([2.0]), full=True)
    r.call("nn.functional.sigmoid_focal_loss", x, q, f4([2.0]), gamma=1.0)
    r.call("nn.functional.triplet_margin_loss", x, y, p, swap=True, margin=0.5)
    r.call("nn.functional.mse_loss", x, y, "max")
    sure = f4([[1.0, 0.0], [0.0, 1.0]])
    r.call("nn.functional.multi_label_soft_margin_loss", ramp((2, 2)), sure)
    r.call("nn.functional.multi_label_soft_margin_loss", ramp((2, 2)), sure, f4([0.5, 2.0]), "sum")
    r.call("nn.functional.multi_label_soft_margin_loss", ramp((2, 2)), sure, reduction="none")
