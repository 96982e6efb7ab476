// An operation must have the same name in the contract, in the server's function, and in the web app's call.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const isCode = (file) => /\.tsx?$/.test(file) && !/\.(?:test|security|scale)\.|testing\//.test(file)
const programs = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isCode)
    .map((file) => {
      const path = join(root, folder, file)
      return parseSync(path, readFileSync(path, 'utf8')).program
    })

function findNodes(tree, matches) {
  const found = []
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    if (matches(node)) found.push(node)
    Object.values(node).forEach(visit)
  }
  visit(tree)
  return found
}

const contract = programs('contract')
const operations = contract.flatMap((program) =>
  findNodes(program, (node) => node.type === 'VariableDeclarator')
    .filter(({ init }) => init?.type === 'CallExpression' && init.callee.name === 'endpoint')
    .map(({ id }) => id.name),
)

/**
 * The handler of each contract constant, from calls such as `route(contract.likeTrack, …)` of any registering function.
 */
const handlers = new Map(
  programs('server').flatMap((program) =>
    findNodes(program, (node) => node.type === 'CallExpression').flatMap(
      ({ arguments: [first, second] }) =>
        first?.type === 'MemberExpression' && /[cC]ontract$/.test(first.object.name) && second
          ? [[first.property.name, second]]
          : [],
    ),
  ),
)

const isNamed = (name) => (node) =>
  (node.type === 'Identifier' && node.name === name) ||
  (node.type === 'MemberExpression' && node.property.name === name)

test('the contract has operations', () => {
  expect(operations.length).toBeGreaterThan(100)
  expect(new Set(operations).size).toBe(operations.length)
})

test('each operation is registered with a function of the same name', () => {
  const others = operations.filter((name) => {
    const handler = handlers.get(name)
    return !handler || findNodes(handler, isNamed(name)).length === 0
  })
  expect(others).toEqual([])
})

/** Operations that the web app doesn't call, because the browser opens their URLs from responses and emails. */
const followed = [
  'getApiDescription',
  'readApiDocs',
  'confirmEmail',
  'streamTrack',
  'streamPreview',
  'streamSpot',
  'sendUpload',
  'sendUploadPart',
  'stopUpload',
]
const calledByOthers = ['receiveBillingEvent', 'getSession']

test('the web app calls each operation by its constant', () => {
  const names = programs('web').flatMap((program) => {
    const imports = findNodes(program, (node) => node.type === 'ImportDeclaration')
      .filter(({ source }) => source.value.startsWith('#contract/'))
      .flatMap(({ specifiers }) => specifiers)
    const namespaces = new Set(
      imports
        .filter(({ type }) => type === 'ImportNamespaceSpecifier')
        .map(({ local }) => local.name),
    )
    const members = findNodes(
      program,
      (node) => node.type === 'MemberExpression' && namespaces.has(node.object.name),
    )
    return [
      ...imports.map(({ imported }) => imported?.name),
      ...members.map(({ property }) => property.name),
    ]
  })
  const called = new Set(names)
  const others = operations.filter((name) => !called.has(name))
  expect(new Set(others)).toEqual(new Set([...followed, ...calledByOthers]))
})
