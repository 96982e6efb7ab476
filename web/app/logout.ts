// Ends the session, then shows the landing page.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { showToast } from '../ui/toast-store.ts'
import { maySignOut } from './leave-question.ts'
import { signOut, useSession } from './session.ts'

/** `destination` is where the person lands: the site sends them home, the back office to /auth. */
export function useLogout(destination: '/' | '/auth' = '/') {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { key } = useLocation()
  const userId = useSession().user?.id
  return useMutation({
    async mutationFn() {
      if (!(await maySignOut(userId))) return
      // Home first: a member screen that loses its session leads to /auth by itself. The sign-in
      // screen last: it sends people who have a session away.
      if (destination === '/') await navigate('/')
      await signOut(queryClient, key)
      if (destination === '/auth') await navigate('/auth')
    },
    onError: (error) => showToast({ tone: 'destructive', title: 'Error', message: error.message }),
  })
}
