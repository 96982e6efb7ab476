// What the table of routes says about each screen, beside its path.
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import type { Access } from '#contract/endpoint.ts'
import type { AdminScreenPath, ScreenPath } from '#contract/screens.ts'
import { ScreenError } from './screen-error.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'

export interface ScreenHandle {
  /** For the window title and the announcement. Empty: the brand alone. */
  title: string
  /** Who may see it; the server decides again on every call. */
  access: Access
  /** False where the screen brings its own header. */
  hasSiteHeader: boolean
  /** Fetches the code ahead of the visit. */
  load: () => Promise<ComponentType>
}

interface ScreenDescription {
  /** An address that `contract/screens.ts` lacks would be answered with 404. */
  path: ScreenPath | AdminScreenPath | '*'
  title: string
  access: Access
  hasSiteHeader?: boolean
  /** False where the shape of a list would be the wrong one to show while the code is on its way. */
  isList?: boolean
  load: () => Promise<ComponentType>
  children?: RouteObject[]
}

/** A route whose code is fetched when it is first needed. */
export function screen({
  path,
  title,
  access,
  hasSiteHeader = true,
  isList = true,
  load,
  children,
}: ScreenDescription): RouteObject {
  const handle: ScreenHandle = { title, access, hasSiteHeader, load }
  return {
    path,
    handle,
    // Both on the screen, not on the shell: header and player stay as they are.
    ErrorBoundary: ScreenError,
    HydrateFallback: isList ? ScreenSkeleton : Blank,
    lazy: { Component: load },
    ...(children && { children }),
  }
}

export function isScreenHandle(handle: unknown): handle is ScreenHandle {
  return typeof handle === 'object' && handle !== null && 'access' in handle
}

function Blank() {
  return null
}
