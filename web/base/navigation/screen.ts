// Properties of a screen in the route table, besides its path.
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { type Access, accessLevels } from '#contract/access.ts'
import type { AdminScreenPath, ScreenPath } from '#contract/screens.ts'
import { ScreenError } from './screen-error.tsx'
import { ScreenSkeleton } from './screen-skeleton.tsx'

export interface ScreenHandle {
  /** Used in the window title and the announcement. If it is empty, the title is only the brand. */
  title: string
  /** Who may see the screen. The server checks every request as well. */
  access: Access
  /** False if the screen has its own header. */
  hasSiteHeader: boolean
  /** Loads the screen's code. */
  load: () => Promise<ComponentType>
}

interface ScreenDescription {
  /** Must be listed in `contract/screens.ts`, otherwise the server responds 404. */
  path: ScreenPath | AdminScreenPath | '*'
  title: string
  access: Access
  hasSiteHeader?: boolean
  /** False if a skeleton of a list would look wrong while the screen's code loads. */
  isList?: boolean
  load: () => Promise<ComponentType>
  children?: RouteObject[]
}

/** Creates a route whose code is loaded when first needed. */
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
    // Set the error boundary on the screen instead of the shell, so that header and player stay visible after an error.
    ErrorBoundary: ScreenError,
    HydrateFallback: isList ? ScreenSkeleton : Blank,
    lazy: { Component: load },
    ...(children && { children }),
  }
}

export function isScreenHandle(handle: unknown): handle is ScreenHandle {
  return typeof handle === 'object' && handle !== null && 'access' in handle
}

/** Returns the strictest access level among these routes. */
export function strictestAccess(handles: unknown[]): Access {
  const wanted = handles.map((handle) => (isScreenHandle(handle) ? handle.access : 'anyone'))
  return accessLevels.findLast((access) => wanted.includes(access)) ?? 'anyone'
}

function Blank() {
  return null
}
