// The route of the landing page: separate, because it is the only one that the server renders.
import type { RouteObject } from 'react-router'
import { screen } from '../../base/navigation/screen.ts'

export function landingRoute(): RouteObject {
  return screen({
    path: '/',
    title: '',
    access: 'anyone',
    isList: false,
    load: async () => (await import('./landing-screen.tsx')).LandingScreen,
  })
}
