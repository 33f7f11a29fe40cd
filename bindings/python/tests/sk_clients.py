"""The calls of scikit-learn, with array API dispatch on."""

import sklearn
from clients import GUESSES, LABELS, P, X, Y, call
from sklearn import discriminant_analysis, linear_model, metrics, preprocessing
from sklearn.decomposition import PCA
from sklearn.metrics import pairwise


def metric(name, *numbers, **keywords):
    """Adds a call of a metric."""

    def run(to, xp):
        with sklearn.config_context(array_api_dispatch=True):
            return getattr(metrics, name)(*[to(n) for n in numbers], **keywords)

    run.__name__ = f"sklearn__metrics__{name}"
    call(run)


for _name in ["accuracy_score", "zero_one_loss", "f1_score", "precision_score", "recall_score", "jaccard_score", "hamming_loss", "confusion_matrix"]:
    metric(_name, LABELS, GUESSES)
for _name in ["mean_squared_error", "mean_absolute_error", "r2_score", "max_error", "explained_variance_score", "root_mean_squared_error", "median_absolute_error"]:
    metric(_name, Y, Y + 0.1)


def kernel(name, *numbers):
    """Adds a call of a pairwise function."""

    def run(to, xp):
        with sklearn.config_context(array_api_dispatch=True):
            return getattr(pairwise, name)(*[to(n) for n in numbers])

    run.__name__ = f"sklearn__metrics__pairwise__{name}"
    call(run)


for _name in ["euclidean_distances", "cosine_similarity", "linear_kernel", "rbf_kernel", "polynomial_kernel", "cosine_distances"]:
    kernel(_name, P, P[:3].copy())


def estimator(make, *numbers, method="transform", attributes=()):
    """Adds a call of an estimator's fit and another method; the attributes are compared as well."""

    def run(to, xp):
        with sklearn.config_context(array_api_dispatch=True):
            fitted = make().fit(*[to(n) for n in numbers])
            return [getattr(fitted, method)(to(numbers[0])), *[getattr(fitted, a) for a in attributes]]

    made = make()
    run.__name__ = f"{type(made).__module__.split('._')[0].replace('.', '__')}__{type(made).__name__}"
    call(run)


estimator(preprocessing.StandardScaler, X, attributes=("mean_",))
estimator(preprocessing.MinMaxScaler, X, attributes=("scale_",))
estimator(preprocessing.MaxAbsScaler, X)
estimator(preprocessing.Normalizer, X)
estimator(preprocessing.Binarizer, X)
estimator(preprocessing.KernelCenterer, X @ X.T)
estimator(lambda: preprocessing.PolynomialFeatures(degree=2), X)
estimator(preprocessing.LabelEncoder, LABELS, attributes=("classes_",))
estimator(lambda: PCA(n_components=2, svd_solver="full"), X, attributes=("explained_variance_",))
estimator(lambda: linear_model.Ridge(solver="svd"), X, Y, method="predict", attributes=("coef_",))
estimator(lambda: discriminant_analysis.LinearDiscriminantAnalysis(solver="svd"), X, LABELS, method="predict")
