// The landing page in the table of routes: apart from the others, because the server draws this one alone.
import type { RouteObject } from 'react-router'
import { screen } from '../app/screen.ts'

export function landingRoute(): RouteObject {
  return screen({
    path: '/',
    title: '',
    access: 'anyone',
    isList: false,
    load: async () => (await import('./landing-screen.tsx')).LandingScreen,
  })
}
