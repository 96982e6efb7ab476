import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { mountApp } from '../../../testing/mount-app.tsx'
import { PublicSwitch } from './public-switch.tsx'
