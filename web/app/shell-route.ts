// The shell around every screen, as a route.
import type { RouteObject } from 'react-router'
import { ScreenError } from '../base/navigation/screen-error.tsx'
import { Shell } from './shell.tsx'

export function inShell(children: RouteObject[]): RouteObject {
  return { Component: Shell, ErrorBoundary: ScreenError, children }
}
