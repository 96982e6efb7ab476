import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { screenPaths } from '#contract/screens.ts'
import { createRoutes } from './routes.tsx'

/** Returns all paths of the routes except the catch-all. */
function pathsOf(routes: RouteObject[], parent = ''): string[] {
  return routes.flatMap(({ path, children = [] }) => {
    const own = path === undefined ? parent : path.startsWith('/') ? path : `${parent}/${path}`
    const inside = pathsOf(children, own)
    return path === undefined || path === '*' ? inside : [own, ...inside]
  })
}

test('has exactly the paths in screenPaths, to which the server responds with 200', () => {
  expect(pathsOf(createRoutes()).toSorted()).toEqual([...screenPaths].toSorted())
})

test.each(['/nowhere', '/admin/nowhere', '/browse/more'])('has no screen at %s', (path) => {
  expect(matchRoutes(createRoutes(), path)?.at(-1)?.route.path).toBe('*')
})
