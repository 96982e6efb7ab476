// The protocol between the server and its WebAssembly child process.

/** Passed to the child as JSON. `args` names files by their real paths. */
export type WasmCommand = {
  args: string[]
  inputs: string[]
  outputs: string[]
  memoryLimitBytes: number
}

/** Exit code when ffmpeg ran and refused; any other failure is the child's own. */
export const refusedExitCode = 100
