"""Records a small network of PyTorch: its weights as a .safetensors file, and what it gives for an image of a digit.

    ENV/bin/python torch_network.py        # torch_stubs.py says how ENV is made
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import nn

import common
from torch_cases import ROOT, describe

FOLDER = ROOT / "frontends/torch/tests/network"


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.hidden = nn.Linear(64, 16)
        self.norm = nn.LayerNorm(16)
        self.out = nn.Linear(16, 10)

    def forward(self, x):
        x = nn.functional.gelu(self.bn(self.conv(x)))
        x = nn.functional.max_pool2d(x, 2).flatten(1)
        x = torch.relu(self.norm(self.hidden(x)))
        return self.out(x)


def main():
    torch.manual_seed(0)
    network = Network().eval()
    with torch.no_grad():
        network.bn.running_mean.normal_(0, 0.2)
        network.bn.running_var.uniform_(0.5, 1.5)
    # A nine, drawn by hand.
    rows = ["00455300", "05822850", "08500580", "04866880", "00245850", "00000840", "03005800", "02886300"]
    image = torch.tensor([[int(digit) for digit in row] for row in rows]).float().reshape(1, 1, 8, 8) / 8
    label = torch.tensor([9])
    logits = network(image)
    loss = nn.functional.cross_entropy(logits, label)
    loss.backward()
    FOLDER.mkdir(parents=True, exist_ok=True)
    state = {name: value for name, value in network.state_dict().items() if "num_batches" not in name}
    save_file(state, FOLDER / "weights.safetensors", metadata={"source": "tools/record_frontend/torch_network.py", "package": f"torch {torch.__version__}"})
    record = {"package": "torch", "version": torch.__version__.split("+")[0], "licence": "BSD-3-Clause", "generator": "tools/record_frontend/torch_network.py"}
    values = {"image": image, "label": label, "logits": logits, "loss": loss, "conv.weight.grad": network.conv.weight.grad, "out.bias.grad": network.out.bias.grad}
    record |= {name: common.encode(value, describe) for name, value in values.items()}
    (FOLDER / "network.json").write_text("{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in record.items()) + "\n}\n")


if __name__ == "__main__":
    main()
