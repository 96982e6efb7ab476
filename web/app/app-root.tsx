// The root of the app around a table of routes: the same tree in the browser and in server rendering.
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import type { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { appHasStarted } from '../base/session/app-start.ts'

export interface AppRootProps {
  queryClient: QueryClient
  router: ReturnType<typeof createBrowserRouter>
}

export function AppRoot({ queryClient, router }: AppRootProps) {
  useEffect(appHasStarted, [])
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  )
}
