// Child process that runs one ffmpeg command in WebAssembly and exits with its code. Invariant: the module can access
// only the files it was given. Each is mapped to a real file, so that no file is held in memory. ffmpeg.ts starts
// this process with one JSON argument. PCM is written to fd 1, the log to fd 2 and progress to fd 3.
import { fstatSync, ftruncateSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { refusedExitCode, type WasmCommand } from './wasm-command.ts'

type Attributes = { size: number }
type Stream = { node: Node; position: number; seekable: boolean }
type StreamOps = {
  read?: (s: Stream, buffer: Int8Array, offset: number, length: number, position: number) => number
  write?: (s: Stream, buffer: Int8Array, offset: number, length: number, position: number) => number
  llseek?: (s: Stream, offset: number, whence: number) => number
  open?: (s: Stream) => void
}
type NodeOps = {
  getattr: (n: Node) => Attributes
  setattr: (n: Node, a: Partial<Attributes>) => void
}
type Node = { node_ops: NodeOps; stream_ops: StreamOps }
type Core = {
  FS: {
    mkdir: (path: string) => void
    writeFile: (path: string, data: Uint8Array) => void
    lookupPath: (path: string) => { node: Node }
  }
  setLogger: (logger: (line: { type: 'stdout' | 'stderr'; message: string }) => void) => void
  exec: (...args: string[]) => number
}
type CreateCore = (options: { wasmBinary: Uint8Array }) => Promise<Core>

// Declares the part of WebAssembly used here, because the types of ECMAScript and Node lack it.
type WasmMemory = { readonly buffer: ArrayBuffer; grow: (pages: number) => number }
declare const WebAssembly: {
  Memory: { prototype: WasmMemory }
  RuntimeError: new (message: string) => Error
}

const command = JSON.parse(process.argv[2] ?? '') as WasmCommand
limitMemory(command.memoryLimitBytes)
process.exitCode = runCommand(await loadCore(), command)

function runCommand(core: Core, { args, inputs, outputs }: WasmCommand): number {
  core.setLogger(({ message }) => writeAll(2, Buffer.from(`${message}\n`)))
  core.FS.mkdir('/media')
  const names = new Map<string, string>()
  const addNode = (realName: string, name: string, bind: (node: Node) => void) => {
    const path = `/media/${name}`
    core.FS.writeFile(path, new Uint8Array())
    bind(core.FS.lookupPath(path).node)
    names.set(realName, path)
  }
  inputs.forEach((path, i) =>
    addNode(path, `input-${i}${extname(path)}`, (node) => bindToFile(node, openSync(path, 'r'))),
  )
  outputs.forEach((path, i) =>
    addNode(path, `output-${i}${extname(path)}`, (node) => bindToFile(node, openSync(path, 'w+'))),
  )
  addNode('pipe:1', 'stdout', (node) => bindToPipe(node, 1))
  addNode('pipe:3', 'progress', (node) => bindToPipe(node, 3))
  return execute(
    core,
    args.map((argument) => names.get(argument) ?? argument),
  )
}

function execute(core: Core, args: string[]): number {
  try {
    return core.exec(...args) === 0 ? 0 : refusedExitCode
  } catch (error) {
    // A damaged file causes a trap (RuntimeError) inside the module. Other errors, such as those of the disk, are
    // rethrown.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
    writeAll(2, Buffer.from(`${error.message}\n`))
    return refusedExitCode
  }
}

async function loadCore(): Promise<Core> {
  // The module was built for web workers and reads `self.location` while it loads.
  Object.assign(globalThis, { self: { location: { href: '' } } })
  const require = createRequire(import.meta.url)
  const createCore = require('@ffmpeg/core') as CreateCore
  return createCore({ wasmBinary: readFileSync(require.resolve('@ffmpeg/core/wasm')) })
}

/** Makes memory allocation fail beyond the limit, so that ffmpeg reports "out of memory". */
function limitMemory(limitBytes: number): void {
  const grow = WebAssembly.Memory.prototype.grow
  WebAssembly.Memory.prototype.grow = function (this: WasmMemory, pages: number) {
    if (this.buffer.byteLength + pages * 65_536 > limitBytes) throw new RangeError('memory limit')
    return grow.call(this, pages)
  }
}

function bindToFile(node: Node, fd: number): void {
  const ownAttributes = node.node_ops.getattr
  const sizeBytes = () => fstatSync(fd).size
  node.node_ops = {
    ...node.node_ops,
    getattr: (n) => ({ ...ownAttributes(n), size: sizeBytes() }),
    setattr: (_n, { size }) => {
      if (size !== undefined) ftruncateSync(fd, size)
    },
  }
  node.stream_ops = {
    read: (_s, buffer, offset, length, position) => readSync(fd, buffer, offset, length, position),
    write: (_s, buffer, offset, length, position) =>
      writeSync(fd, buffer, offset, length, position),
    llseek: (s, offset, whence) =>
      offset + (whence === 1 ? s.position : whence === 2 ? sizeBytes() : 0),
  }
}

function bindToPipe(node: Node, fd: number): void {
  node.stream_ops = {
    open: (s) => {
      s.seekable = false
    },
    write: (_s, buffer, offset, length) => {
      writeAll(fd, buffer.subarray(offset, offset + length))
      return length
    },
  }
}

/** Writes synchronously, so that a slow reader slows the decoder down instead of filling memory. */
function writeAll(fd: number, bytes: Uint8Array | Int8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
}
