"""A convolutional network that learns hand-written digits as a PyTorch user writes it: a module, a data loader, an optimiser with a
schedule, and a training loop.

    python examples/frontends/torch_digits.py [BACKEND ...] [--epochs N] [--curve FILE.svg]

The lines that differ from a program for PyTorch are the imports. It trains on the first 1438 images and is tested on the other 359, on
every backend that is named, or on `jit`. Needs `pip install ./bindings/python` and NumPy, which reads the images.
"""

import argparse
from pathlib import Path

import ivyrs
import ivyrs.frontends.torch as torch
import ivyrs.frontends.torch.nn.functional as F
import numpy as np
from ivyrs.frontends.torch import nn
from ivyrs.frontends.torch.utils.data import DataLoader, TensorDataset

DATA = Path(__file__).parents[1] / "data"
TRAIN = 1438


class Network(nn.Module):
    """Two convolutions, max pooling, and two linear layers with dropout."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.dropout = nn.Dropout(0.3)
        self.hidden = nn.Linear(32 * 4 * 4, 64)
        self.out = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = self.dropout(torch.flatten(x, 1))
        return self.out(F.relu(self.hidden(x)))


def digits():
    """Images of numbers from 0 to 1, and the digits that they show."""
    images = np.load(DATA / "digits_images.npy").reshape(-1, 1, 8, 8).astype("float32") / 16
    labels = np.load(DATA / "digits_labels.npy").astype("int64")
    return torch.from_numpy(images), torch.from_numpy(labels)


def moved(images, step):
    """Images moved by a pixel or none along each axis: writers do not meet the middle."""
    down, right = step % 3, step // 3 % 3
    return F.pad(images, (1, 1, 1, 1))[:, :, down : down + 8, right : right + 8]


def train(epochs, batch_size=64):
    """The losses of all steps, and the share of the held-out images that are read rightly."""
    torch.manual_seed(2)
    images, labels = digits()
    loader = DataLoader(TensorDataset(images[:TRAIN], labels[:TRAIN]), batch_size=batch_size, shuffle=True)
    network = Network()
    optimizer = torch.optim.AdamW(network.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=1e-2, total_steps=epochs * len(loader) + 1)
    criterion = nn.CrossEntropyLoss()
    losses = []
    network.train()
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(network(moved(x, len(losses))), y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
            done = len(losses) / (epochs * len(loader))
            print(f"\r[{'=' * int(30 * done):30}] epoch {epoch + 1} of {epochs}, loss {losses[-1]:.3f}", end="", flush=True)
    network.eval()
    with torch.no_grad():
        predicted = network(images[TRAIN:]).argmax(dim=1)
    right = (predicted == labels[TRAIN:]).float().mean().item()
    print(f"\n{right:.1%} of the held-out images are read rightly")
    return losses, right


def draw(path, curves):
    """The losses over the steps, each the mean of the last ten, as an SVG picture."""
    width, height, top = 720, 420, 2.5
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">']
    lines.append(f'<rect width="{width}" height="{height}" fill="white"/><text x="60" y="20">cross entropy over the steps</text>')
    for tick in range(6):
        y = 380 - 340 * tick / 5
        lines.append(f'<line x1="60" y1="{y}" x2="700" y2="{y}" stroke="#ddd"/><text x="25" y="{y + 4}">{top * tick / 5:.1f}</text>')
    for i, (name, losses) in enumerate(curves):
        color = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd")[i % 4]
        means = [sum(losses[max(0, k - 9) : k + 1]) / min(k + 1, 10) for k in range(len(losses))]
        points = " ".join(f"{60 + 640 * k / len(means):.1f},{380 - 340 * min(mean, top) / top:.1f}" for k, mean in enumerate(means))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        lines.append(f'<text x="600" y="{40 + 16 * i}" fill="{color}">{name}</text>')
    Path(path).write_text("\n".join([*lines, "</svg>\n"]))


def main(backends=(), epochs=20, curve=None):
    """Trains on each backend; the least share that is read rightly."""
    curves, shares = [], []
    for backend in backends or ["jit"]:
        with ivyrs.with_backend(backend):
            losses, right = train(epochs)
        curves.append((backend, losses))
        shares.append(right)
    if curve:
        draw(curve, curves)
        print(f"the losses are drawn in {curve}")
    return min(shares)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("backends", nargs="*", metavar="BACKEND")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--curve", metavar="FILE.svg")
    given = parser.parse_args()
    raise SystemExit(0 if main(given.backends, given.epochs, given.curve) >= 0.97 or given.epochs < 20 else 1)
