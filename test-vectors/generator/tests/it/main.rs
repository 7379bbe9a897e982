//! Tests of the generator in one program: each program more compiles its generic code again.

mod inclusion;
mod periods;
mod roots;
mod vectors;
