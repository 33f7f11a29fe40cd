//! Writes the functions from the rows in `functions/`.

fn main() {
    ivy_frontend_build::run(ivy_frontend_build::Names {
        frontend: "PADDLE",
        class: "Tensor",
        array: "Tensor",
    });
}
