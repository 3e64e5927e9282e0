"""Compile a spec of DynamoDB access patterns into repositories, CloudFormation and proofs."""

__version__ = "0.1.0"
