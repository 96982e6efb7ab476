// The protocol between the server and the child process that runs ffmpeg in WebAssembly.

/** Passed to the child as JSON. `args` names files by their real paths. */
export type WasmCommand = {
  args: string[]
  inputs: string[]
  outputs: string[]
  memoryLimitBytes: number
}

/** Exit code when ffmpeg ran and refused the file. All other codes are failures of the child process. */
export const refusedExitCode = 100
