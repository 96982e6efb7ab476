// Links inside the app. The code of the target screen is prefetched on hover, focus or touch.
import type { ReactNode } from 'react'
import { Link, NavLink, useResolvedPath, type LinkProps, type NavLinkProps } from 'react-router'
import { buttonClass, buttonIconClass, type ButtonLook } from '../ui/controls/button-class.ts'
import { prefetchScreen } from './prefetch-screen.ts'

export function ScreenLink(props: LinkProps) {
  return <Link {...props} {...usePrefetch(props.to)} />
}

export function ScreenNavLink(props: NavLinkProps) {
  return <NavLink {...props} {...usePrefetch(props.to)} />
}

export interface ButtonLinkProps extends ButtonLook, Omit<LinkProps, 'className'> {
  icon?: ReactNode
}

export function ButtonLink({ variant, size, wide, icon, children, ...link }: ButtonLinkProps) {
  return (
    <ScreenLink {...link} className={buttonClass({ variant, size, wide })}>
      {icon && (
        <span className={buttonIconClass} aria-hidden="true">
          {icon}
        </span>
      )}
      {children}
    </ScreenLink>
  )
}

function usePrefetch(to: LinkProps['to']) {
  const { pathname } = useResolvedPath(to)
  const prefetch = () => prefetchScreen(pathname)
  return { onPointerEnter: prefetch, onFocus: prefetch, onTouchStart: prefetch }
}
