import { matchRoutes, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { screenPaths } from '#contract/screens.ts'
import { createRoutes } from './routes.tsx'

/** Every address of the router, without the one for all others. */
function pathsOf(routes: RouteObject[], parent = ''): string[] {
  return routes.flatMap(({ path, children = [] }) => {
    const own = path === undefined ? parent : path.startsWith('/') ? path : `${parent}/${path}`
    const inside = pathsOf(children, own)
    return path === undefined || path === '*' ? inside : [own, ...inside]
  })
}

test('the router has exactly the addresses that the server answers with 200', () => {
  expect(pathsOf(createRoutes()).toSorted()).toEqual([...screenPaths].toSorted())
})

test.each(['/nowhere', '/admin/nowhere', '/browse/more'])('%s has no screen', (path) => {
  expect(matchRoutes(createRoutes(), path)?.at(-1)?.route.path).toBe('*')
})
