// The modules that vite.icons.ts generates.
declare module '~icons/tabler/*' {
  import type { JSX, SVGProps } from 'react'

  export default function Icon(props: SVGProps<SVGSVGElement> & { size?: number }): JSX.Element
}
