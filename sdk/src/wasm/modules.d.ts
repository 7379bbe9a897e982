declare module '*.wasm' {
  const module: WebAssembly.Module
  // biome-ignore lint/style/noDefaultExport: what the platform gives.
  export default module
}
