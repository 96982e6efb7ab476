// Linters for the deployment files. They report unknown keys, wrong types and common mistakes. Each takes a path and
// returns its findings as messages, or null if it needs a program that isn't installed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { parseAllDocuments } from 'yaml'
import { modulesFolder, toolEntries } from './project-paths.mjs'
import { runQuietly } from './run-process.mjs'

export function lintDockerfile(file) {
  const found = validate(readFileSync(file, 'utf8'))
  return found.map(({ range, message }) => finding(file, range.start.line + 1, message))
}

/** Disables two rules: keys may have any order, and ports that other machines must reach aren't bound to loopback. */
const compositionRules = {
  'service-keys-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
  'no-unbound-port-interfaces': 0,
}

export function lintComposition(file) {
  const linter = new DCLinter({ rules: compositionRules, quiet: false, debug: false, exclude: [] })
  const found = linter.lintFiles([file], false).flatMap(({ messages }) => messages)
  return found.map(({ line, message }) => finding(file, line, message))
}

/** @param {string} file @param {number} line @param {string} message */
function finding(file, line, message) {
  return `${basename(file)}:${line} ${message}`
}

/**
 * Lints with the TypeScript compiler: writes each document as a literal of its published Kubernetes type. An unknown
 * key then causes a type error.
 */
export async function lintKubernetes(file) {
  const documents = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS())
  const folder = mkdtempSync(join(modulesFolder, '.velour-kubernetes-'))
  try {
    const source = join(folder, `${basename(file)}.ts`)
    writeFileSync(source, documents.map(asTypedLiteral).join('\n'))
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck']
    const args = [toolEntries.tsc, ...options, '--pretty', 'false', '--types', '', source]
    const { exitCode, output } = await runQuietly(process.execPath, args)
    return exitCode === 0 ? [] : [output.trim()]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function asTypedLiteral(document, index) {
  const { apiVersion, kind } = document
  const group = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace(/\.k8s\.io\//, '/')
  const type = `import('kubernetes-types/${group}').${kind}`
  return `export const document${index}: ${type} = ${JSON.stringify(document, null, 2)}`
}

export async function lintShellScript(file) {
  return runLinter('shellcheck', ['--format=gcc', file])
}

/**
 * systemd-analyze also checks that the program exists, so the path of Node is replaced by that of the current one.
 */
export async function lintUnit(file) {
  const folder = mkdtempSync(join(modulesFolder, '.velour-unit-'))
  try {
    const unit = join(folder, basename(file))
    const text = readFileSync(file, 'utf8')
    writeFileSync(unit, text.replaceAll('/usr/bin/node', process.execPath))
    return await runLinter('systemd-analyze', ['verify', '--man=no', unit])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Any output of the program is a finding, even if its exit code is 0. */
async function runLinter(program, args) {
  try {
    const { output } = await runQuietly(program, args)
    return output.trim() === '' ? [] : [output.trim()]
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}
