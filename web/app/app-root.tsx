// The root component of the app. It renders the same tree in the browser and on the server.
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
