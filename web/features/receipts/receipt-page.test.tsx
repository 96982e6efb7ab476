import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Receipt } from '#contract/receipts.ts'
import { errorAnswer, freeMember, mountApp } from '../../testing/mount-app.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const receipt: Receipt = {
  number: 7,
  amount_cents: 980,
  currency: 'jpy',
  payment_method: 'cash',
  description: 'Velour Premium, monthly',
  covers_from: '2026-11-01T12:00:00.000Z',
  covers_to: '2026-12-01T12:00:00.000Z',
  recipient: 'Ada\nada@velour.test',
  issuer: {
    invoice_name: 'Night Desk',
    invoice_address: '1 Harbour Street',
    invoice_tax_id: 'DE1',
    invoice_footer: 'Thank you.',
  },
  issued_at: '2026-11-01T12:00:00.000Z',
  voids: null,
  voided_by: 8,
}

test('shows the seller, the payer, the amount, and that the receipt is void', async () => {
  mountApp('/receipts/7', { 'GET /api/receipts/7': { data: receipt } }, freeMember)
  await screen.findByRole('heading', { name: 'Receipt 7' })
  for (const text of ['¥980', 'Tax ID: DE1', 'Thank you.', 'Cash']) {
    expect(screen.getByText(text)).toBeDefined()
  }
  expect(screen.getByText('This receipt is void. It was canceled by receipt 8.')).toBeDefined()
})

test('shows an error for an unknown receipt', async () => {
  const answers = {
    'GET /api/receipts/9': errorAnswer(404, 'receipt_not_found', 'This receipt does not exist.'),
  }
  mountApp('/receipts/9', answers, freeMember)
  expect(await screen.findByText('This receipt does not exist.')).toBeDefined()
})

test('lists invoices and receipts on the profile', async () => {
  const bill = { amount_cents: 999, currency: 'usd', created_at: receipt.issued_at }
  const invoice = {
    ...bill,
    id: 'in_1',
    kind: 'invoice',
    number: 'AB-1',
    is_paid: false,
    url: 'https://invoice.stripe.com/i/1',
    pdf_url: 'https://pay.stripe.com/invoice/1/pdf',
  }
  const paper = { ...bill, id: 'receipt-7', kind: 'receipt', number: '7', is_paid: true }
  mountApp(
    '/profile',
    {
      'GET /api/sessions': { data: [] },
      'GET /api/device-keys': { data: [] },
      'GET /api/tokens': { data: [] },
      'GET /api/billing/invoices': {
        data: [invoice, { ...paper, url: null, pdf_url: null }],
        has_more: false,
      },
    },
    freeMember,
  )
  const link = await screen.findByRole('link', { name: 'Invoice AB-1' })
  expect(link.getAttribute('href')).toBe(invoice.url)
  expect(screen.getByRole('link', { name: 'Receipt 7' }).getAttribute('href')).toBe('/receipts/7')
  expect(screen.getByRole('link', { name: 'Invoice AB-1 as PDF' })).toBeDefined()
})
