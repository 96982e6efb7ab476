// The whole app around one table of screens: the same tree in the browser and where the server draws a page.
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import type { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { appHasStarted } from './app-start.ts'

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
