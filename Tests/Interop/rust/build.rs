//! Generates Rust code for the messages of the schema.

use std::{env, fs, path::PathBuf};

fn main() {
    let schema =
        PathBuf::from(env::var("TODO_SCHEMA").expect("set TODO_SCHEMA to the directory Protos"));
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    let mut inputs = vec![
        schema.join("google/rpc/error_details.proto"),
        schema.join("google/type/date.proto"),
        schema.join("google/type/latlng.proto"),
        schema.join("grpc/health/v1/health.proto"),
    ];
    for file in fs::read_dir(schema.join("todo/v1")).unwrap() {
        inputs.push(file.unwrap().path());
    }
    protobuf_codegen_pure::Codegen::new()
        .out_dir(&out)
        .inputs(&inputs)
        .includes([schema, PathBuf::from("/usr/include")])
        .run()
        .expect("generate code from the schema");
    // One module for each file, because the generated code refers to the others as siblings.
    let modules: String = inputs
        .iter()
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            format!(
                "#[path = \"{}/{name}.rs\"]\npub mod {name};\n",
                out.display()
            )
        })
        .collect();
    fs::write(out.join("schema.rs"), modules).unwrap();
    println!("cargo:rerun-if-env-changed=TODO_SCHEMA");
}
