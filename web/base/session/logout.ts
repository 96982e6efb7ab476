// Signs out, then shows the landing page.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from 'react-router'
import { showToast } from '../ui/overlays/toast-store.ts'
import { maySignOut } from '../unsaved-work/leave-question.ts'
import { signOut, useSession } from './session.ts'

/** @param destination where to navigate afterwards: the site to '/', the back office to '/auth' */
export function useLogout(destination: '/' | '/auth' = '/') {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { key } = useLocation()
  const userId = useSession().user?.id
  return useMutation({
    async mutationFn() {
      if (!(await maySignOut(userId))) return
      // Navigate home before signing out: a member screen that loses its session redirects to /auth. Navigate to /auth
      // afterwards: it redirects users who have a session.
      if (destination === '/') await navigate('/')
      await signOut(queryClient, key)
      if (destination === '/auth') await navigate('/auth')
    },
    onError: (error) => showToast({ tone: 'destructive', title: 'Error', message: error.message }),
  })
}
