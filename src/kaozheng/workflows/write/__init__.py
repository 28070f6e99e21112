"""From text, notes or code to a document that keeps the house style: outline, sections in parallel, assembly, heal loop, delivery."""
