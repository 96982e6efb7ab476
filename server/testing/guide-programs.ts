// For tests: extracts the code of the API guides to files, as a reader would copy it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')
const generator = join(root, 'packages/client/node_modules/openapi-typescript/bin/cli.js')

/** Reads a guide. `file` is a path below docs/. */
export const readGuide = (file: string) => readFile(join(root, 'docs', file), 'utf8')

/** Returns the code blocks of one language, in order. */
export async function readBlocks(file: string, language: string): Promise<string[]> {
  const page = await readGuide(file)
  const fences = page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))
  return [...fences].map(([, code = '']) => code)
}

/**
 * Returns the TypeScript programs of a guide by file name. Each begins with a comment that contains its name: `//
 * upload.ts: …`.
 */
export async function readPrograms(file: string): Promise<Map<string, string>> {
  const blocks = await readBlocks(file, 'ts')
  return new Map(blocks.map((code) => [/^\/\/ ([\w-]+\.ts):/.exec(code)?.[1] ?? '', code]))
}

/** Creates a project in `folder` with the packages of this repository. */
export async function prepareProject(folder: string): Promise<void> {
  await symlink(modules, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const compilerOptions = {
    lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [join(modules, '@types')],
  }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
}

export interface Place {
  folder: string
  env: Record<string, string>
}

export interface Ended {
  exitCode: number | null
  output: string
}

export function startProgram(program: string, args: string[], { folder, env }: Place) {
  const path = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
  return spawn(program, args, {
    cwd: folder,
    env: { ...path, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs a program until it ends. The output contains stdout and stderr. */
export async function runProgram(program: string, args: string[], place: Place): Promise<Ended> {
  const child = startProgram(program, args, place)
  const [[exitCode], ...outputs] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { exitCode, output: outputs.join('') }
}

export const runNode = (args: string[], place: Place) => runProgram(process.execPath, args, place)

/** Generates TypeScript types from the API description of a running server, in `velour-api.ts`. */
export const generateTypes = (url: string, place: Place) =>
  runNode([generator, `${url}/api/openapi.json`, '--output', 'velour-api.ts'], place)

export const compile = (place: Place) => runNode([join(modules, 'typescript/bin/tsc')], place)
